// An import that is killed, and run again: in the end the site is as after one run.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { startGatehouse } from '#test/gatehouse.ts';
import { aPlace } from '#test/moved.ts';
import { author, category, comment, exportOf, item, meta, oldSite } from '#test/wxr.ts';

const file = (n: number): string => `${oldSite}/wp-content/uploads/2020/02/photo-of-${n}.png`;

const picture = (id: number): string =>
  item({
    title: `Picture ${id}`,
    'wp:post_id': id,
    'wp:post_type': 'attachment',
    'wp:status': 'inherit',
    'wp:attachment_url': file(id),
    guid: file(id),
  });

/** Something of everything, and the second half points at the first and the other way round. */
const old = exportOf(
  author('ada'),
  ...Array.from({ length: 100 }, (_, n) => post(10 + n)),
  ...Array.from({ length: 8 }, (_, n) => picture(500 + n)),
  ...Array.from({ length: 110 }, (_, n) => post(200 + n)),
  item(
    { title: 'To a post', 'wp:post_id': 600, 'wp:post_type': 'nav_menu_item', 'content:encoded': '' },
    category('nav_menu', 'main', 'Main'),
    meta('_menu_item_type', 'post_type'),
    meta('_menu_item_object', 'post'),
    meta('_menu_item_object_id', '12'),
  ),
);

function post(id: number): string {
  const shown = 500 + (id % 8);
  return item(
    {
      title: `Post ${id}`,
      'wp:post_id': id,
      guid: `${oldSite}/?p=${id}`,
      'content:encoded': `<p><img class="wp-image-${shown}" src="${file(shown)}"> <a href="${oldSite}/x">x</a></p>`,
    },
    category('category', `kind-${id % 5}`, `Kind ${id % 5}`),
    meta('_thumbnail_id', `${shown}`),
    comment(id * 10, { author: `A ${id}` }),
    comment(id * 10 + 1, { author: `B ${id}`, parent: id * 10 }),
  );
}

type Site = Awaited<ReturnType<typeof aPlace>>;

async function aSite(engine: TestEngine) {
  const site = await aPlace(engine);
  const uploads = join(site.data, 'old');
  mkdirSync(join(uploads, '2020/02'), { recursive: true });
  for (let n = 0; n < 8; n++) {
    const shape = { width: 1_100, height: 700, channels: 3, background: { r: n * 20, g: 90, b: 90 } } as const;
    const bytes = await sharp({ create: shape }).png().toBuffer();
    writeFileSync(join(uploads, `2020/02/photo-of-${500 + n}.png`), bytes);
  }
  return { ...site, args: [site.file(old), '--uploads', uploads] };
}

/** Its moment, or its end, whichever comes first. */
async function killed(site: Site & { readonly args: readonly string[] }, isMoment: () => Promise<boolean>) {
  const { child, ended } = startGatehouse(['import', 'wxr', ...site.args, ...site.where], site.env);
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  while (!isOver && !(await isMoment())) await pause(2);
  child.kill('SIGKILL');
  await ended;
}

/** All that a visitor or a program could tell, without what only says when a row was written. */
async function told(site: Site) {
  const out = join(site.data, 'out.xml');
  const { code, err } = await site.run('export', 'wxr', out, '--force');
  assert.equal(code, 0, err);
  const text = readFileSync(out, 'utf8')
    .replace(/<pubDate>[^<]*<\/pubDate>/, '')
    // These get the next number, and a killed write may have used one up.
    .replace(/<wp:(term_id|comment_id|comment_parent|author_id|comment_user_id)>\d+</g, '<wp:$1><');
  const [paths, totals, arrived] = await Promise.all(
    ['media_paths', 'totals', 'arrived'].map((table) => site.rows(table)),
  );
  return [
    ...text.split('\n'),
    ...paths!.map(({ path, post_id }) => `${path} ${post_id}`),
    ...totals!.map((row) => JSON.stringify(row)),
    ...arrived!.map(({ post_id, unsettled }) => `${post_id} ${unsettled}`),
  ].sort();
}

eachEngine('An import that is killed', (engine) => {
  test('is finished by the next run, as if it had been one', async () => {
    const [whole, broken] = [await aSite(engine), await aSite(engine)];
    const once = await whole.arrive(whole.args[0]!, ...whole.args.slice(1));
    assert.deepEqual([once.code, once.told?.errors], [0, []], once.err);
    const count = async (table: string, isMeant: (row: Record<string, unknown>) => boolean = () => true) =>
      (await broken.rows(table)).filter(isMeant).length;
    const isLeft = ({ post_id }: Record<string, unknown>): boolean => post_id === null;
    const isUnsettled = ({ unsettled }: Record<string, unknown>): boolean => Number(unsettled) === 1;
    for (const moment of [
      async () => (await count('terms')) > 2,
      async () => (await count('media_paths', isLeft)) > 0,
      async () => (await count('media')) > 3 && (await count('media_paths', isLeft)) > 0,
      async () => (await count('posts')) > 200 && (await count('arrived', isUnsettled)) < 100,
    ])
      await killed(broken, moment);
    const { code, told: last, err } = await broken.arrive(broken.args[0]!, ...broken.args.slice(1));
    assert.deepEqual([code, last?.errors], [0, []], err);
    const [is, wanted] = [await told(broken), await told(whole)];
    const beside = (one: readonly string[], other: readonly string[]) => one.filter((line) => !other.includes(line));
    assert.deepEqual([beside(is, wanted), beside(wanted, is)], [[], []]);
    assert.equal(is.length, wanted.length);
  });
});
