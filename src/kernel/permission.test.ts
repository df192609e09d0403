import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { anyone, on, when } from './access.ts';
import { type Caller, nobody } from './caller.ts';
import { allowedOnRecord, Permissions } from './permission.ts';
import { denied, Problem } from './problem.ts';
import { resource } from './resource.ts';
import { type Route, routeMaker } from './route.ts';
import { t } from './schema.ts';
import { buildTable, type Group } from './table.ts';

const route = routeMaker<{ found: number }>();
const record = { id: 1, owner: 5 };
const find = ({ id }: { id: number }, use: { found: number }) => {
  use.found++;
  if (id !== 1) throw new Problem(404, 'none', 'There is none.');
  return record;
};
const paper = resource({ name: 'paper', fields: { id: t.fixed(t.integer()), owner: t.fixed(t.integer()) } });
const args = { id: t.integer() };
const path = 'papers/(?P<id>\\d+)';
const owned = on(find, (caller, row) => caller.id === row.owner || denied('not_yours', 'It is not yours.'));

/** The records of another resource: of them a rule about papers knows nothing. */
const findOther = ({ id }: { id: number }) => ({ id, owner: 5 });
const ofAnother = on(findOther, () => true);

const routes: Route[] = [
  route({ method: 'GET', path, summary: '', access: on(find, anyone), args, resource: paper, handle: () => record }),
  route({ method: ['PUT', 'PATCH'], path, summary: '', access: owned, args, handle: () => null }),
  route({ method: 'DELETE', path, summary: '', access: 'erase', args, resource: paper, handle: () => record }),
  route({ method: 'POST', path, summary: '', access: when((caller) => caller.id === 6), args, handle: () => null }),
];

const setUp = (): { group: Group; use: { found: number } } => {
  const use = { found: 0 };
  const { groups } = buildTable([{ namespace: 'x/v1', routes, use }], new Set(['erase']));
  return { group: groups[0]!, use };
};
const someone = (id: number, ...capabilities: string[]): Caller => ({ id, can: (name) => capabilities.includes(name) });

const callers: [string, Caller, string[]][] = [
  ['nobody', nobody, ['GET']],
  ['somebody', someone(4), ['GET']],
  ['the owner', someone(5), ['GET', 'PUT', 'PATCH']],
  ['who has the capability', someone(4, 'erase'), ['GET', 'DELETE']],
  ['the one the rule without a record names', someone(6), ['GET', 'POST']],
];

test('a caller may use the methods that the access of a path allows', () =>
  checkRows(callers, async ([, caller, allowed]) => {
    const { group } = setUp();
    assert.deepEqual(await new Permissions(caller, { id: 1 }).allowed(group, {}), allowed);
  }));

test('a record at hand allows the same, and is not looked for again', () =>
  checkRows(callers, async ([, caller, allowed]) => {
    const { group, use } = setUp();
    assert.deepEqual(await allowedOnRecord(group, caller, record, paper as never, {}), allowed);
    assert.equal(use.found, 0);
  }));

test('a rule that finds something else, or refuses by throwing, allows nothing with a record at hand', async () => {
  const throwing = on(find, () => {
    throw denied('not_yours', 'It is not yours.');
  });
  const own: Route[] = [
    route({ method: 'GET', path, summary: '', access: on(find, anyone), args, resource: paper, handle: () => record }),
    route({ method: 'PUT', path, summary: '', access: ofAnother, args, handle: () => null }),
    route({ method: 'DELETE', path, summary: '', access: throwing, args, handle: () => null }),
  ];
  const { groups } = buildTable([{ namespace: 'x/v1', routes: own, use: { found: 0 } }], new Set());
  assert.deepEqual(await allowedOnRecord(groups[0]!, someone(5), record, paper as never, {}), ['GET']);
});

test('a record is found once, however many ask about it', async () => {
  const { group, use } = setUp();
  const permissions = new Permissions(someone(5, 'erase'), { id: 1 });
  await permissions.demand(group.entries[0]!, {});
  await permissions.allowed(group, {});
  assert.equal(await permissions.record(group.entries[1]!), record);
  assert.equal(use.found, 1);
});

test('a rule is asked once, however often the answer is needed', async () => {
  let asked = 0;
  const counting = when(() => ++asked > 0);
  const own = [route({ method: 'GET', path: 'x', summary: '', access: counting, handle: () => null })];
  const { groups } = buildTable([{ namespace: '', routes: own, use: { found: 0 } }], new Set());
  const permissions = new Permissions(nobody, {});
  await permissions.demand(groups[0]!.entries[0]!, {});
  assert.deepEqual(await permissions.allowed(groups[0]!, {}), ['GET']);
  assert.equal(asked, 1);
});

test('a record that is not there is the refusal of all who need it', async () => {
  const { group, use } = setUp();
  const permissions = new Permissions(someone(5, 'erase'), { id: 9 });
  assert.deepEqual(await permissions.allowed(group, {}), ['DELETE']);
  await assert.rejects(permissions.demand(group.entries[1]!, {}), { code: 'none', status: 404 });
  assert.equal(use.found, 1);
});

test('a refusal is the rule’s own, or the general one', async () => {
  const { group } = setUp();
  const permissions = new Permissions(someone(4), { id: 1 });
  const codes = await Promise.all(group.entries.map(async (entry) => (await permissions.refusal(entry, {}))?.code));
  assert.deepEqual(codes, [undefined, 'not_yours', 'rest_forbidden', 'rest_forbidden']);
});

test('a rule that breaks is no refusal', async () => {
  const broken = when(() => {
    throw new TypeError('a bug');
  });
  const { groups } = buildTable(
    [
      {
        namespace: '',
        routes: [route({ method: 'GET', path: 'x', summary: '', access: broken, handle: () => null })],
        use: { found: 0 },
      },
    ],
    new Set(),
  );
  await assert.rejects(new Permissions(nobody, {}).demand(groups[0]!.entries[0]!, {}), TypeError);
});

test('nobody has no capability at all', () => {
  assert.equal(nobody.can('erase'), false);
  assert.equal(nobody.id, 0);
});

test('a path that does not fit what its routes declare names no record, so none is looked for', async () => {
  const { group, use } = setUp();
  const permissions = new Permissions(someone(5, 'erase'), group.coercePath({ id: 'x' }));
  assert.deepEqual(await permissions.allowed(group, {}), ['DELETE'], 'only what needs no record');
  assert.equal((await permissions.refusalAhead(group.entries[0]!))?.status, 404);
  assert.equal(use.found, 0);
});

test('what is found by more than the path is told how it was asked, once that is known', async () => {
  const asked: unknown[] = [];
  const findAsked = (_: object, _use: unknown, how: unknown) => asked.push(how);
  const own = [route({ method: 'POST', path: 'x', summary: '', access: on(findAsked, anyone), handle: () => null })];
  const { groups } = buildTable([{ namespace: '', routes: own, use: { found: 0 } }], new Set());
  const how = { method: 'POST', query: {}, json: { input: 1 }, form: undefined };
  const permissions = new Permissions(nobody, {});
  permissions.heard(how);
  await permissions.demand(groups[0]!.entries[0]!, {});
  await new Permissions(nobody, {}).allowed(groups[0]!, {});
  assert.deepEqual(asked, [how, undefined]);
});
