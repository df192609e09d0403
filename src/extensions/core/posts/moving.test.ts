// Records that move, on PostgreSQL, while others come to lie below them or begin to show them.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { withoutPostgres } from '#test/databases.ts';
import { type HeldWrites, heldWrites } from '#test/held-writes.ts';
import { neutral, type Paper, upload } from '#test/paper.ts';
import { picture } from '#test/pictures.ts';
import { testClock } from '#test/queue.ts';
import type { Answer } from '#test/site.ts';

const [pages, posts, media] = [`${neutral}/pages`, `${neutral}/posts`, `${neutral}/media`];
const status = 'publish';

const aPicture = async ({ editor }: Paper, name: string): Promise<number> =>
  (await upload(editor, media, name, await picture(20, 20))).body.id;

/** All that is found by its words is written after the records. */
const unwritten = 'select 1 from posts_words where rowid = $1 for update';

describe('What comes to something while it moves is told as it is in the end (postgres)', {
  skip: withoutPostgres,
}, () => {
  const begun = heldWrites();
  let { paper, holding, waiting } = {} as HeldWrites;
  before(async () => {
    ({ paper, holding, waiting } = await begun());
  });

  interface Meeting {
    readonly id: number;
    /** Held once it has moved what goes with it, and not there yet. */
    move(): Promise<Answer>;
    come(): Promise<Answer>;
    /** A list of what comes. */
    readonly list: string;
  }

  /** What anybody and somebody known are told of it afterwards. */
  async function met({ id, move, come, list }: Meeting) {
    const release = await holding(unwritten, [id]);
    const moving = move();
    await waiting(1, moving);
    const coming = come();
    await waiting(2, coming);
    await paper.get(list);
    await release();
    for (const one of [await moving, await coming]) assert.ok(one.status < 300, one.text);
    const [anybody, known] = [await paper.get(list), await paper.as('subscriber').get(list)];
    assert.equal(anybody.body.length, 1);
    assert.deepEqual(anybody.body, known.body);
    return anybody.body[0];
  }

  test('a page made below one whose slug changes, and what lies above that', async () => {
    const { made, editor } = paper;
    for (const [slug, isAbove] of [
      ['near', false],
      ['far', true],
    ] as const) {
      const { id } = await made(pages, { title: slug, slug, status });
      const parent = isAbove ? (await made(pages, { title: 'Between', status, parent: id })).id : id;
      const child = { title: 'Child', slug: `of-${slug}`, status, parent };
      const told = await met({
        id,
        move: () => editor.post(`${pages}/${id}`, { slug: `${slug}-moved`, content: 'Words of its own' }),
        come: () => editor.post(pages, child),
        list: `${pages}?slug=${child.slug}`,
      });
      assert.match(told.link, new RegExp(`/${slug}-moved/(?:between/)?of-${slug}/$`));
    }
  });

  test('a page moved below one that goes into the trash', async () => {
    const { made, editor } = paper;
    const { id: parent } = await made(pages, { title: 'Going', slug: 'going', status });
    const { id } = await made(pages, { title: 'Coming', slug: 'coming', status });
    const told = await met({
      id: parent,
      move: () => editor.delete(`${pages}/${parent}`),
      come: () => editor.post(`${pages}/${id}`, { parent }),
      list: `${pages}?include=${id}`,
    });
    assert.match(told.link, /\/going__trashed\/coming\/$/);
  });

  for (const isNew of [true, false])
    test(`a post that begins to show a picture of what becomes private, ${isNew ? 'new' : 'changed'}`, async () => {
      const { made, editor } = paper;
      const { id } = await made(posts, { title: 'Owner', status });
      const featured_media = await aPicture(paper, 'owned.jpg');
      assert.equal((await editor.post(`${media}/${featured_media}`, { post: id })).status, 200);
      const said = { title: 'Shows', slug: `shows-${isNew}`, status };
      const path = isNew ? posts : `${posts}/${(await made(posts, said)).id}`;
      const told = await met({
        id,
        move: () => editor.post(`${posts}/${id}`, { status: 'private' }),
        come: () => editor.post(path, isNew ? { ...said, featured_media } : { featured_media }),
        list: `${posts}?slug=${said.slug}`,
      });
      assert.equal(told.featured_media, featured_media);
      assert.equal(told._links['wp:featuredmedia'], undefined);
    });
});

describe('Whoever moves something takes all that moves with it, before anything is written (postgres)', {
  skip: withoutPostgres,
}, () => {
  const clock = testClock();
  const begun = heldWrites();
  let { paper, holding, waiting, free } = {} as HeldWrites;
  before(async () => {
    ({ paper, holding, waiting, free } = await begun({ clock }));
  });

  /** Of these records, those that are free while the write waits for one of them that somebody has. */
  async function freeWhile(id: number, moving: () => Promise<unknown>, ...ids: readonly number[]): Promise<number[]> {
    const release = await holding('select 1 from posts where id = $1 for update', [id]);
    const moved = moving();
    await waiting(1, moved);
    const left = await free(...ids);
    await release();
    await moved;
    return left;
  }

  test('in the order of their numbers, wherever they lie', async () => {
    const { made, editor } = paper;
    const ids: number[] = [];
    for (let at = 0; at < 6; at++) ids.push((await made(pages, { title: `Page ${at}`, status })).id);
    const [a, b, c, d, e, top] = ids as [number, number, number, number, number, number];
    for (const [id, parent] of [
      [a, e],
      [e, b],
      [c, b],
      [b, d],
      [d, top],
    ] as const)
      assert.equal((await editor.post(`${pages}/${id}`, { parent })).status, 200);
    for (const [at, taken] of ids.entries()) {
      const move = () => editor.post(`${pages}/${top}`, { slug: `top-${at}` });
      assert.deepEqual(await freeWhile(taken, move, ...ids), ids.slice(at + 1));
    }
    const line = [a, b, d, e, top];
    for (const [at, taken] of line.entries()) {
      const come = () => editor.post(pages, { title: `Child ${at}`, parent: a });
      assert.deepEqual(
        await freeWhile(taken, come, ...line),
        line.slice(at + 1),
        'what comes to lie below takes the line',
      );
    }
  });

  /** A file of a post that was made after it. */
  async function fileOf(said: object): Promise<[file: number, post: number]> {
    const file = await aPicture(paper, 'first.jpg');
    const post = await paper.made(posts, { title: 'Later', ...said });
    assert.equal((await paper.editor.post(`${media}/${file}`, { post: post.id })).status, 200);
    return [file, post.id];
  }

  test('where its date changes, which is part of addresses', async () => {
    for (const said of [{ date: '2026-01-02T03:04:05' }, { date_gmt: '2026-02-03T04:05:06' }]) {
      const [file, post] = await fileOf({ status });
      assert.deepEqual(await freeWhile(file, () => paper.editor.post(`${posts}/${post}`, said), post), [post]);
    }
  });

  test('where it is published because it is due', async () => {
    const [file, post] = await fileOf({ status: 'future', date: '2026-11-20T12:10:00' });
    clock.pass(11 * minute);
    const { jobs } = paper.app.services;
    assert.deepEqual(await freeWhile(file, () => jobs.settled(), post), [post]);
    assert.equal((await paper.get(`${posts}/${post}`)).body.status, 'publish');
  });

  test('what shows a picture that nothing lies below', async () => {
    const { id } = await paper.made(posts, { title: 'Shows', status });
    const file = await aPicture(paper, 'shown.jpg');
    assert.equal((await paper.editor.post(`${posts}/${id}`, { featured_media: file })).status, 200);
    assert.deepEqual(await freeWhile(id, () => paper.editor.post(`${media}/${file}`, { slug: 'other' }), file), [file]);
  });

  test('where it is to lie, and the picture it is to have', async () => {
    const { made, editor } = paper;
    const featured_media = await aPicture(paper, 'earlier.jpg');
    const { id: parent } = await made(pages, { title: 'Above', status });
    for (const [first, said] of [
      [parent, { parent }],
      [featured_media, { featured_media }],
      [featured_media, { slug: 'pictured', featured_media }],
      [featured_media, { parent, featured_media }],
    ] as const) {
      const { id } = await made(pages, { title: 'Later', status });
      assert.deepEqual(await freeWhile(first, () => editor.post(`${pages}/${id}`, said), id), [id]);
      const { body } = await paper.get(`${pages}/${id}`);
      assert.deepEqual({ ...body, ...said }, body);
    }
  });
});
