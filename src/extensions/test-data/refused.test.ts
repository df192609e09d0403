import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { ordered, rowsOf, testDataOf } from '#test/test-data.ts';
import { core } from '../core/extension.ts';
import { testData } from './extension.ts';

const invalid = [400, 'rest_invalid_param'] as const;
const mayNot = [403, 'insufficient_permissions'] as const;

const manyKeys = Object.fromEntries(Array.from({ length: 51 }, (_, nth) => [`key${nth}`, nth]));
const manyNumbers = Array.from({ length: 1_001 }, (_, nth) => nth + 1);

/** Of the administrator. */
const refused: readonly [kind: string, order: object, status: number, code: string][] = [
  ['posts', { quantity: 0 }, ...invalid],
  ['posts', { quantity: 1_001 }, ...invalid],
  ['posts', { quantity: -1 }, ...invalid],
  ['posts', { quantity: 'many' }, ...invalid],
  ['posts', { quantity: 1.5 }, ...invalid],
  ['posts', { total: 1_001 }, ...invalid],
  ['posts', { seed: 2 ** 53 }, ...invalid],
  ['posts', { seed: '' }, ...invalid],
  ['posts', { meta: { a: 'a'.repeat(10_001) } }, ...invalid],
  ['posts', { total: -1 }, ...invalid],
  ['posts', { offset: -1 }, ...invalid],
  ['posts', { qty: { min: 1, max: 1_001 } }, ...invalid],
  ['posts', { qty: { min: 1_001 } }, ...invalid],
  ['posts', { qty: { min: 0, max: 5 } }, ...invalid],
  ['posts', { qty: 5 }, ...invalid],
  ['posts', { seed: 'x'.repeat(65) }, ...invalid],
  ['posts', { seed: { a: 1 } }, ...invalid],
  ['posts', { post_type: 'poem' }, ...invalid],
  ['posts', { post_type: '__proto__' }, ...invalid],
  ['posts', { post_type: 'attachment' }, ...invalid],
  ['posts', { post_type: 'wp_block' }, ...invalid],
  ['posts', { post_type: 'wp_navigation' }, ...invalid],
  ['posts', { post_status: 'approved' }, ...invalid],
  ['posts', { author_ids: 'anybody' }, ...invalid],
  ['posts', { author_ids: manyNumbers }, ...invalid],
  ['attachments', { width: 60, author_ids: manyNumbers }, ...invalid],
  ['posts', { meta: 'word' }, ...invalid],
  ['posts', { meta: { _secret: 1 } }, ...invalid],
  ['posts', { meta: { _datagen: 0 } }, ...invalid],
  ['posts', { meta: { ' _datagen': 1 } }, ...invalid],
  ['posts', { meta: [{ name: '_secret', type: 'letter' }] }, ...invalid],
  ['posts', { meta: manyKeys }, ...invalid],
  ['posts', { meta: { mood: { type: 'weather' } } }, ...invalid],
  ...[
    ...[
      '(((a{99}){99}){99})',
      'a{1000000}',
      '(){99999}',
      '((((((a+)+)+)+)+)+)',
      `${'a|'.repeat(90)}(b{999}){99}`,
      '(a)\\1',
    ],
    ...['(?=a)', '(?<x>a)', '(?:'.repeat(60), `${'(b|c)'.repeat(30)}{99}{99}`],
  ].map(
    (template) =>
      ['posts', { meta: { code: { type: 'regexify', template } } }, ...invalid] satisfies (typeof refused)[number],
  ),
  [
    'posts',
    { quantity: 2, meta: { footnotes: { type: 'raw', value: { of: 'another kind' } } } },
    400,
    'generation_failed',
  ],
  ['users', { role: 'gardener' }, ...mayNot],
  ['users', { role: '__proto__' }, ...mayNot],
  ['users', { role: 'administrator' }, ...mayNot],
  ['users', { total: 1_001 }, ...invalid],
  ['users', { meta: { _secret: 1 } }, ...invalid],
  ['terms', { taxonomy: 'colour' }, ...invalid],
  ['terms', { taxonomy: 'wp_pattern_category' }, ...invalid],
  ['terms', { taxonomy: 'constructor' }, ...invalid],
  ['terms', { quantity: 1_001 }, ...invalid],
  ['comments', { comment_status: 'loud' }, ...invalid],
  ['comments', { post_ids: manyNumbers }, ...invalid],
  ['comments', { post_ids: [999_999] }, 400, 'generation_failed'],
  ['comments', {}, 400, 'generation_failed'],
  ['attachments', { quantity: 101 }, ...invalid],
  ['attachments', { total: 101 }, ...invalid],
  ['attachments', { qty: { max: 101 } }, ...invalid],
  ['attachments', { quantity: -1 }, ...invalid],
  ['attachments', { date_range: { min: '2025-02-01', max: '2025-01-31' } }, ...invalid],
  ['attachments', { date_range: { min: '2025-02-30' } }, ...invalid],
  ['attachments', { date_range: 'yesterday' }, ...invalid],
  ['attachments', { file_types: ['svg'] }, ...invalid],
];

eachEngine('orders that are refused', (engine) => {
  let site: TestSite;
  let rows: Awaited<ReturnType<typeof rowsOf>>;

  before(async () => {
    site = await aSite(engine, { extensions: [core, testData] });
    for (const role of ['administrator', 'editor', 'author', 'contributor', 'subscriber']) await site.credentials(role);
    rows = await rowsOf(site);
  });

  /** What a refusal looks like in this family, and that nothing was made. */
  const isRefused = async (answer: { status: number; body: object }, status: number, code: string): Promise<void> => {
    const { success, code: told, message, data } = answer.body as Record<string, unknown>;
    assert.deepEqual([answer.status, success, told], [status, false, code], JSON.stringify(answer.body));
    assert.equal(typeof message, 'string');
    assert.equal((data as { status: number }).status, status);
    assert.deepEqual(await rowsOf(site), rows);
  };

  test('are answered with their status and code, and make nothing', () =>
    checkRows(refused, async ([kind, order, status, code]) => {
      await isRefused(await ordered(site.as('administrator'), kind, order), status, code);
    }));

  test('what cannot be read at all is refused in the same way', async () => {
    const path = '/api/datagen/v1/posts/generate';
    const json = { 'content-type': 'application/json' };
    await isRefused(await site.as('administrator').post(path, '{"quantity":', json), 400, 'rest_invalid_json');
  });

  test('are answered with 401 without a signed-in user', () =>
    checkRows(['posts', 'users', 'terms', 'comments', 'attachments'], async (kind) => {
      await isRefused(await ordered(site, kind), 401, 'rest_not_logged_in');
    }));

  const tooSmall = {
    subscriber: ['posts', 'users', 'terms', 'comments', 'attachments'],
    contributor: ['posts', 'users', 'terms', 'comments', 'attachments'],
    author: ['users', 'terms', 'comments'],
    editor: ['users'],
  };
  for (const [role, kinds] of Object.entries(tooSmall))
    test(`a person who is ${role} makes no ${kinds.join(', ')}`, async () => {
      for (const kind of kinds) await isRefused(await ordered(site.as(role), kind), 403, 'rest_forbidden');
    });

  test('who may publish posts alone makes no pages', async () => {
    await isRefused(await ordered(site.as('author'), 'posts', { post_type: 'page' }), ...mayNot);
  });

  test('there is nothing else to order', async () => {
    const { status, body } = await ordered(site.as('administrator'), 'menus');
    assert.deepEqual([status, body.code], [404, 'rest_no_route']);
  });

  test('whoever may no more, once it comes to writing, makes nothing', async () => {
    await ordered(site.as('editor'), 'posts', { quantity: 1 });
    const person = await site.user({ login: 'soon.gone', roles: ['administrator'] });
    const asked = await site.callerWith(await site.credentials(person));
    const { orders, makers } = testDataOf(site);
    const maker = makers.asked(asked);
    await site.app.services.identity.users.change(person, { roles: ['subscriber'] });
    rows = await rowsOf(site);
    const all = {
      posts: { post_type: 'post', post_status: 'publish' },
      users: { role: 'subscriber' },
      terms: { taxonomy: 'category' },
      comments: { comment_status: 'approve' },
    };
    for (const [kind, order] of Object.entries(all)) {
      const refusal = orders.generate(kind, { quantity: 2, ...order }, maker);
      await assert.rejects(refusal, { code: 'insufficient_permissions' }, kind);
    }
    assert.deepEqual(await rowsOf(site), rows);
  });
});
