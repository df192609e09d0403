// Many writes at once: what one entry made the next one finds, and each is judged by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPaper, neutral, outcome } from '#test/paper.ts';
import type { Answer, Client } from '#test/site.ts';

interface Entry {
  readonly path: string;
  readonly method?: string;
  readonly body?: object;
}

interface Response {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  readonly body: any;
  readonly headers: Record<string, string> | [];
}

const strictly = { validation: 'require-all-validate' };
const send = (by: Client, requests: readonly Entry[], more = {}): Promise<Answer> =>
  by.post('/api/batch/v1', { requests, ...more });
const responsesIn = ({ body }: Answer): Response[] => body.responses;
const outcomes = (answer: Answer): unknown[] =>
  responsesIn(answer).map((one) => one && [one.status, one.body.code ?? one.body.slug ?? one.body.deleted]);

const posts = '/core/v2/posts';

eachEngine('A batch of records', (engine) => {
  /** What the next record is numbered: what is made in between is numbered on from there. */
  async function begun() {
    const site = await aPaper(engine);
    const { id } = await site.made(`${neutral}/posts`, { title: 'First' });
    const all = async () => (await site.editor.get(`${neutral}/posts?status=any&_fields=id,title,status,slug`)).body;
    return { ...site, next: id + 1, all };
  }

  test('makes a post, changes it, puts it into the trash, takes it back, and deletes it', async () => {
    const { editor, next, all } = await begun();
    const one = `${posts}/${next}`;
    const answer = await send(
      editor,
      [
        { path: posts, body: { title: 'Made', status: 'publish' } },
        { path: one, method: 'PUT', body: { title: 'Changed', slug: 'changed' } },
        { path: one, method: 'DELETE' },
        { path: one, method: 'DELETE' },
        { path: one, body: { status: 'publish' } },
        { path: one, method: 'DELETE', body: { force: true } },
        { path: one, body: { title: 'Late' } },
      ],
      strictly,
    );
    assert.deepEqual(outcomes(answer), [
      [201, 'made'],
      [200, 'changed'],
      [200, 'changed__trashed'],
      [410, 'rest_already_trashed'],
      [200, 'changed'],
      [200, true],
      [404, 'rest_post_invalid_id'],
    ]);
    assert.deepEqual(responsesIn(answer)[0]?.headers, {
      Location: `http://site.test/api${one}`,
      Allow: 'GET, POST',
    });
    assert.equal((await all()).length, 1);
  });

  test('sorts a post by a tag, and puts a page below another, that were made right before', async () => {
    const { editor, next, get } = await begun();
    const tag = (await editor.post(`${neutral}/tags`, { name: 'There' })).body.id + 1;
    const answer = await send(editor, [
      { path: '/core/v2/tags', body: { name: 'Lamp' } },
      { path: posts, body: { title: 'Lit', status: 'publish', tags: [tag] } },
      { path: '/core/v2/pages', body: { title: 'About', status: 'publish' } },
      { path: '/core/v2/pages', body: { title: 'Team', status: 'publish', parent: next + 1 } },
      { path: `/core/v2/pages/${next + 1}`, body: { parent: next + 2 } },
    ]);
    assert.deepEqual(outcomes(answer), [
      [201, 'lamp'],
      [201, 'lit'],
      [201, 'about'],
      [201, 'team'],
      [400, 'rest_post_invalid_id'],
    ]);
    assert.equal((await get(`${neutral}/tags/${tag}`)).body.count, 1);
    assert.equal((await get(`${neutral}/pages/${next + 2}`)).body.link, 'http://site.test/about/team/');
  });

  test('gives each of as many posts of one title as it may hold a slug of its own', async () => {
    const { editor, all } = await begun();
    const requests = Array.from({ length: 25 }, () => ({ path: posts, body: { title: 'Same', status: 'publish' } }));
    const slugs = responsesIn(await send(editor, requests)).map(({ body }) => body.slug);
    assert.deepEqual(slugs, ['same', ...Array.from({ length: 24 }, (_, at) => `same-${at + 2}`)]);
    const before = await all();
    const tooMany = await send(editor, [...requests, requests[0]!]);
    assert.deepEqual(
      [...outcome(tooMany), tooMany.body.data.details.requests.code],
      [400, 'rest_invalid_param', 'rest_too_many_items'],
    );
    assert.deepEqual(await all(), before);
  });

  test('does nothing when all must be valid and one is not', async () => {
    const { editor, next, all } = await begun();
    const before = await all();
    const good = { path: posts, body: { title: 'Good', status: 'publish' } };
    for (const [bad, code] of [
      [{ path: posts, body: { title: 5 } }, 'rest_invalid_param'],
      [{ path: posts, body: { title: 'x', status: 'trash' } }, 'rest_invalid_param'],
      [{ path: posts, body: { title: 'x', sticky: 'perhaps' } }, 'rest_invalid_param'],
      [{ path: posts, body: { title: 'x', date: 'tomorrow' } }, 'rest_invalid_param'],
      [{ path: posts, body: { title: 'x', categories: 'News' } }, 'rest_invalid_param'],
      [{ path: posts, body: { title: 'x', format: 'poem' } }, 'rest_invalid_param'],
      [{ path: `${posts}/${next}`, body: { comment_status: 'ajar' } }, 'rest_invalid_param'],
      [{ path: '/core/v2/tags', body: {} }, 'rest_missing_callback_param'],
      [{ path: '/core/v2/media', body: { title: 'x' } }, 'rest_batch_not_allowed'],
      [{ path: '/core/v2/comments', body: { post: 1, content: 'x' } }, 'rest_batch_not_allowed'],
      [{ path: '/core/v2/settings', body: { title: 'x' } }, 'rest_batch_not_allowed'],
      [{ path: `${posts}/1/autosaves`, body: { title: 'x' } }, 'rest_batch_not_allowed'],
      [{ path: `${posts}/one`, body: { title: 'x' } }, 'rest_no_route'],
    ] as const) {
      const answer = await send(editor, [good, bad, good], strictly);
      const about = JSON.stringify(bad);
      assert.deepEqual([answer.status, answer.body.failed], [207, 'validation'], about);
      assert.deepEqual(outcomes(answer), [null, [code === 'rest_no_route' ? 404 : 400, code], null], about);
    }
    assert.deepEqual(await all(), before);
    const rest = await send(editor, [good, { path: posts, body: { title: 5 } }, good]);
    assert.deepEqual(outcomes(rest), [
      [201, 'good'],
      [400, 'rest_invalid_param'],
      [201, 'good-2'],
    ]);
  });

  test('judges each entry by what the one who sends it may', async () => {
    const { as, all, next, editor } = await begun();
    const contributor = as('contributor');
    const { body: own } = await contributor.post(`${neutral}/posts`, { title: 'Own' });
    const requests: Entry[] = [
      { path: posts, body: { title: 'Draft', slug: 'draft' } },
      { path: posts, body: { title: 'Loud', status: 'publish' } },
      { path: `${posts}/${next - 1}`, body: { title: 'Taken' } },
      { path: `${posts}/${own.id}`, body: { slug: 'mine' } },
      { path: `${posts}/${own.id}`, body: { sticky: true } },
      { path: `${posts}/${own.id}`, body: { author: 1 } },
      { path: '/core/v2/tags', body: { name: 'Lamp' } },
      { path: '/core/v2/categories', body: { name: 'News' } },
      { path: '/core/v2/pages', body: { title: 'About' } },
      { path: `${posts}/999999`, method: 'DELETE' },
    ];
    const expected = [
      [201, 'draft'],
      [403, 'rest_cannot_publish'],
      [403, 'rest_cannot_edit'],
      [200, 'mine'],
      [403, 'rest_cannot_assign_sticky'],
      [403, 'rest_cannot_edit_others'],
      [201, 'lamp'],
      [403, 'rest_cannot_create'],
      [403, 'rest_cannot_create'],
      [404, 'rest_post_invalid_id'],
    ];
    // What somebody may not is no matter of validation.
    assert.deepEqual(outcomes(await send(contributor, requests, strictly)), expected);
    assert.equal((await all()).length, 3);
    await editor.delete(`${neutral}/posts/${own.id}?force=true`);
    const nobodys = (await send(await aPaper(engine), requests.slice(0, 1))).body.responses;
    assert.deepEqual([nobodys[0].status, nobodys[0].body.code], [401, 'rest_cannot_create']);
  });
});
