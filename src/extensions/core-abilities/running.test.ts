// What is asked before an ability is run, in which order, and what is asked of its answer: shown by a machine of no use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import type { AnyEntry, Toolkit } from '#site/extension.ts';
import type { SiteEvents } from '#site/platform/events.ts';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type Sent } from '#test/site.ts';
import { abilities } from './extension.ts';

const looking = { readonly: true, destructive: false, idempotent: true };
const doing = { readonly: false, destructive: false, idempotent: null };
const removing = { readonly: null, destructive: true, idempotent: true };
const removingAgain = { readonly: false, destructive: true, idempotent: false };

const machine: AnyEntry = (tools: Toolkit<never>) => {
  const { t, ability, Problem } = tools;
  const described = (name: string) => ({ name: `machine/${name}`, label: name, description: name, category: 'site' });
  const amount = t.object({ amount: t.integer({ minimum: 1 }), tags: t.optional(t.list(t.string())) }, closed);
  const fails = (name: string, fail: () => never) =>
    ability({ ...described(name), annotations: doing, may: () => true, run: fail });
  return {
    name: 'machine',
    nouns: () => ({}),
    abilities: {
      offered: [
        ability({ ...described('show'), input: amount, annotations: looking, may: writes, run: ({ input }) => input }),
        ability({ ...described('do'), input: amount, annotations: doing, may: writes, run: ({ input }) => input }),
        ability({
          ...described('remove'),
          input: amount,
          annotations: removing,
          may: writes,
          run: ({ input }) => input,
        }),
        ability({ ...described('wear-out'), annotations: removingAgain, may: writes, run: () => null }),
        ability({ ...described('nothing'), annotations: looking, may: () => true, run: () => undefined }),
        ability({
          ...described('usual'),
          input: t.object({ speed: t.integer({ default: 7 }) }, { ...closed, default: {} }),
          output: t.object({ speed: t.integer() }),
          annotations: looking,
          may: () => true,
          run: ({ input }) => ({ ...input }),
        }),
        ability({
          ...described('any'),
          input: t.nullable(t.string()),
          annotations: doing,
          may: () => true,
          run: ({ input }) => [input],
        }),
        ability({
          ...described('lie'),
          output: t.integer(),
          annotations: doing,
          may: () => true,
          run: () => 'a hundred' as never,
        }),
        ability({
          ...described('judge'),
          annotations: looking,
          may: () => new Problem(402, 'machine_unpaid', 'Please pay first.'),
          run: () => 1,
        }),
        fails('break', () => {
          throw new TypeError('the secret spring is broken');
        }),
        fails('refuse', () => {
          throw new Problem(409, 'machine_busy', 'It is busy.');
        }),
        fails('stall', () => {
          throw new Unavailable('The store is away.');
        }),
      ],
    },
  };
};

const closed = { additionalProperties: false } as const;
const writes = ({ caller }: { readonly caller: { can(capability: string): boolean } }) => caller.can('edit_posts');

eachEngine('Running an ability', async (engine) => {
  const site = await aSite(engine, { extensions: [abilities, machine] });
  const told: SiteEvents['ability.run'][] = [];
  site.app.services.events.on('ability.run', (event) => void told.push(event));

  const at = (face: 'api' | 'wp-json', name: string) =>
    `/${face === 'api' ? 'api/core-abilities' : 'wp-json/wp-abilities'}/v1/abilities/machine/${name}/run`;

  /** Who asks, how, and what came of it. */
  async function asked(who: string, method: string, name: string, sent: Sent & { query?: string } = {}) {
    const { query = '', ...more } = sent;
    const client = who === 'nobody' ? site : site.as(who);
    const answers = [];
    for (const face of ['api', 'wp-json'] as const) {
      const { status, body, headers } = await client.request(method, `${at(face, name)}${query}`, more);
      const said = status === 200 ? body : body?.code;
      answers.push([status, said, headers.get('allow')]);
    }
    assert.deepEqual(answers[0], answers[1], 'both faces answer alike');
    return answers[0]!;
  }

  const all = 'GET, POST, PUT, PATCH, DELETE';
  const json = (input: unknown) => ({ body: { input } });

  const cases: readonly [string, Parameters<typeof asked>, unknown[]][] = [
    ['an unknown name comes first', ['nobody', 'PATCH', 'fly', json(1)], [404, 'rest_ability_not_found', null]],
    ['what looks is run by GET', ['author', 'GET', 'show', { query: '?input[amount]=2' }], [200, { amount: 2 }, all]],
    ['… and by HEAD', ['author', 'HEAD', 'show', { query: '?input[amount]=2' }], [200, undefined, all]],
    ['… and by nothing else', ['author', 'POST', 'show', json({})], [405, 'rest_ability_invalid_method', null]],
    ['what does something is run by POST', ['author', 'POST', 'do', json({ amount: 2 })], [200, { amount: 2 }, all]],
    ['… and not by PUT', ['author', 'PUT', 'do', json({ amount: 2 })], [405, 'rest_ability_invalid_method', null]],
    ['… nor by GET', ['author', 'GET', 'do', {}], [405, 'rest_ability_invalid_method', null]],
    [
      'what takes away and can be done again is run by DELETE',
      ['author', 'DELETE', 'remove', { query: '?input[amount]=2' }],
      [200, { amount: 2 }, all],
    ],
    [
      '… and not by POST',
      ['author', 'POST', 'remove', json({ amount: 2 })],
      [405, 'rest_ability_invalid_method', null],
    ],
    ['what takes away more each time is run by POST', ['author', 'POST', 'wear-out', {}], [200, null, all]],
    [
      'a method named in the address counts',
      ['author', 'POST', 'show', { query: '?_method=get&input[amount]=2' }],
      [200, { amount: 2 }, all],
    ],
    ['the method comes before the input', ['nobody', 'DELETE', 'do', {}], [405, 'rest_ability_invalid_method', null]],
    ['the input comes before the rights', ['nobody', 'POST', 'do', {}], [400, 'ability_invalid_input', null]],
    [
      'what is wrong with it is refused',
      ['author', 'POST', 'do', json({ amount: 0 })],
      [400, 'ability_invalid_input', null],
    ],
    [
      '… as what is too much',
      ['author', 'POST', 'do', json({ amount: 1, x: 1 })],
      [400, 'ability_invalid_input', null],
    ],
    ['… and what is no object', ['author', 'POST', 'do', json('amount')], [400, 'ability_invalid_input', null]],
    [
      'no input is taken where none is described',
      ['author', 'POST', 'wear-out', json({})],
      [400, 'ability_missing_input_schema', null],
    ],
    [
      '… whatever it is',
      ['nobody', 'GET', 'nothing', { query: '?input=' }],
      [400, 'ability_missing_input_schema', null],
    ],
    ['null is no input', ['author', 'POST', 'wear-out', json(null)], [200, null, all]],
    [
      'texts of an address become what they are meant to be',
      ['author', 'GET', 'show', { query: '?input[amount]=5.0&input[tags]=a,b' }],
      [200, { amount: 5, tags: ['a', 'b'] }, all],
    ],
    [
      'what a body says does not count where the address is asked',
      ['author', 'DELETE', 'remove', json({ amount: 2 })],
      [400, 'ability_invalid_input', null],
    ],
    [
      'what the address says does not count where the body is asked',
      ['author', 'POST', 'do', { query: '?input[amount]=2' }],
      [400, 'ability_invalid_input', null],
    ],
    [
      '… nor does a form',
      [
        'author',
        'POST',
        'do',
        { body: 'input[amount]=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      ],
      [400, 'ability_invalid_input', null],
    ],
    ['without input, the default counts, whole', ['nobody', 'GET', 'usual', {}], [200, { speed: 7 }, all]],
    ['… also for members', ['nobody', 'GET', 'usual', { query: '?input=' }], [200, { speed: 7 }, all]],
    ['without a default, the input is null', ['nobody', 'POST', 'any', {}], [200, [null], all]],
    [
      'nobody may what somebody has to be',
      ['nobody', 'POST', 'do', json({ amount: 1 })],
      [401, 'rest_ability_cannot_execute', null],
    ],
    [
      'somebody may not what their role does not let them',
      ['subscriber', 'POST', 'do', json({ amount: 1 })],
      [403, 'rest_ability_cannot_execute', null],
    ],
    ['a rule refuses as it says', ['author', 'GET', 'judge', {}], [402, 'machine_unpaid', null]],
    ['an answer that is nothing is null', ['nobody', 'GET', 'nothing', {}], [200, null, all]],
    [
      'an answer that is not what was said is a fault',
      ['nobody', 'POST', 'lie', {}],
      [500, 'ability_invalid_output', all],
    ],
    ['what fails is a fault', ['nobody', 'POST', 'break', {}], [500, 'ability_callback_exception', all]],
    ['what refuses keeps its code', ['nobody', 'POST', 'refuse', {}], [409, 'machine_busy', all]],
    ['what is away is away', ['nobody', 'POST', 'stall', {}], [503, 'storage_unavailable', null]],
    ['broken JSON is refused as everywhere', ['author', 'POST', 'do', { body: '{', headers: jsonType }], brokenJson],
  ];
  test('each request gets its answer', () =>
    checkRows(cases, async ([, how, expected]) => assert.deepEqual(await asked(...how), expected)));

  test('what fails is written down, and nobody outside is told of it', async () => {
    const before = site.log.lines.length;
    const broken = await site.post(at('api', 'break'));
    const lie = await site.post(at('api', 'lie'));
    assert.deepEqual([broken.body.data, lie.body.data], [{ status: 500 }, { status: 500 }]);
    assert.doesNotMatch(broken.text + lie.text, /spring|hundred|integer/);
    const written = site.log.lines.slice(before).map(({ details }) => String((details as { err?: unknown }).err));
    assert.match(written.join('\n'), /secret spring is broken[\s\S]*The ability machine\/lie ran/);
    site.log.lines.length = before;
  });

  test('what changes something is told to whoever listens, however it ended', async () => {
    told.length = 0;
    const author = (await site.caller('author')).id;
    const writer = site.as('author');
    await writer.post(at('api', 'do'), { input: { amount: 1 } });
    await writer.post(at('api', 'do'), { input: { amount: 0 } });
    await site.as('subscriber').post(at('api', 'do'), { input: { amount: 1 } });
    await writer.get(`${at('api', 'show')}?input[amount]=1`);
    await writer.delete(`${at('api', 'remove')}?input[amount]=1`);
    for (const name of ['refuse', 'break', 'lie', 'stall']) await site.post(at('api', name));
    await site.app.services.events.settled();
    site.log.lines.length = 0;
    const by = { user: author, by: author };
    const nobody = { user: 0, by: 0 };
    assert.deepEqual(told, [
      { ability: 'machine/do', ...by, outcome: 'done' },
      { ability: 'machine/remove', ...by, outcome: 'done' },
      { ability: 'machine/refuse', ...nobody, outcome: 'machine_busy' },
      { ability: 'machine/break', ...nobody, outcome: 'ability_callback_exception' },
      { ability: 'machine/lie', ...nobody, outcome: 'ability_invalid_output' },
      { ability: 'machine/stall', ...nobody, outcome: 'storage_unavailable' },
    ]);
  });

  test('nobody is told how an ability may be run that they did not run', async () => {
    const { status, headers } = await site.as('author').options(at('api', 'do'));
    assert.deepEqual([status, headers.get('allow')], [200, null]);
  });

  test('fields of an answer can be chosen', async () => {
    const { body } = await site.as('author').get(`${at('api', 'show')}?input[amount]=1&input[tags]=a&_fields=tags`);
    assert.deepEqual(body, { tags: ['a'] });
  });

  test('abilities are no part of a batch', async () => {
    const requests = [{ path: '/core-abilities/v1/abilities/machine/do/run', body: { input: { amount: 1 } } }];
    const { body } = await site.as('author').post('/api/batch/v1', { requests });
    assert.equal(body.responses[0].body.code, 'rest_batch_not_allowed');
  });
});

const jsonType = { 'content-type': 'application/json' };
const brokenJson = [400, 'rest_invalid_json', null];
