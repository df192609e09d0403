import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { anyone, on, when } from './access.ts';
import { type Caller, nobody } from './caller.ts';
import { prospectOf } from './matrix.ts';
import { denied } from './problem.ts';
import { type Route, routeMaker } from './route.ts';

const caller = (id: number, ...capabilities: string[]): Caller => ({ id, can: (name) => capabilities.includes(name) });
const writer = caller(3, 'write');
const editor = caller(4, 'write', 'edit_others');
const callers = [nobody, writer, editor];

const make = routeMaker<unknown>();
const withAccess = (access: Route['access'], more: Partial<Route> = {}): Route =>
  make({ method: 'GET', path: 'a', summary: 'A', handle: () => null, ...more, access: access as 'public' } as never);

const row = () => ({ owner: 3, status: 'draft' });
type Row = ReturnType<typeof row>;
const rule = (allow: (who: Caller, record: Row) => boolean) => on(row, allow) as unknown as Route['access'];

const cases: [name: string, route: Route, prospects: [string, string, string]][] = [
  ['what is public', withAccess('public'), ['yes', 'yes', 'yes']],
  ['a capability', withAccess('edit_others'), ['no', 'no', 'yes']],
  ['anyone who names a record', withAccess(on(row, anyone) as never), ['yes', 'yes', 'yes']],
  ['a key of its own', withAccess('public', { credential: async () => nobody }), ['key', 'key', 'key']],
  ['a rule that asks only who', withAccess(when(({ id }) => id > 0) as never), ['no', 'yes', 'yes']],
  [
    'a rule that reads the record of some',
    withAccess(rule((who, { owner }) => who.can('edit_others') || owner === who.id)),
    ['depends', 'depends', 'depends'],
  ],
  [
    'a rule that reads the record only of those it must',
    withAccess(rule((who, record) => who.can('edit_others') || (who.id > 0 && record.owner === who.id))),
    ['no', 'depends', 'yes'],
  ],
  [
    'a rule that looks deep into the record',
    withAccess(rule((_who, record) => record.status.startsWith('pub'))),
    ['depends', 'depends', 'depends'],
  ],
  [
    'a rule that spreads the record',
    withAccess(rule((_who, record) => Object.keys({ ...record }).length > 0)),
    ['depends', 'depends', 'depends'],
  ],
  [
    'a rule that asks whether the record has something',
    withAccess(rule((_who, record) => 'owner' in record)),
    ['depends', 'depends', 'depends'],
  ],
  [
    'a rule that reads the arguments',
    withAccess(when<{ context: string }>((_who, { context }) => context !== 'edit') as never),
    ['depends', 'depends', 'depends'],
  ],
  ['a rule that refuses with its own code', withAccess(when(() => denied('no', 'No.')) as never), ['no', 'no', 'no']],
  [
    'a rule that throws its refusal',
    withAccess(
      when(() => {
        throw denied('no', 'No.');
      }) as never,
    ),
    ['no', 'no', 'no'],
  ],
  [
    'a rule that has to look something up',
    withAccess(when(async () => true) as never),
    ['depends', 'depends', 'depends'],
  ],
];

test('each access allows and refuses visitors, writers and editors as declared', () =>
  checkRows(cases, ([, route, prospects]) => {
    assert.deepEqual(
      callers.map((one) => prospectOf(route, one)),
      prospects,
    );
  }));
