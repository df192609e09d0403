// How the engines find users: by an index, however many there are. Asked of the engines themselves, about the very statements.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fill, rare } from '#test/crowd.ts';
import { keptLog, onBothStores, type TestEngine } from '#test/databases.ts';
import { type Plan, watchedStore } from '#test/plans.ts';
import { checkRows } from '#test/rows.ts';
import { readConfig } from '../../config.ts';
import { openServices } from '../services.ts';
import type { Identity } from './identity.ts';
import { createRoles } from './roles.ts';
import type { Wanted } from './users/list.ts';

const many = 3_000;
const client = { address: '127.0.0.1', agent: 'test' };
const capabilities = new Set(['read', 'edit_posts']);
const roles = createRoles(
  {
    administrator: { label: 'Administrator', capabilities: [...capabilities] },
    author: { label: 'Author', capabilities: [...capabilities] },
    subscriber: { label: 'Subscriber', capabilities: ['read'] },
  },
  capabilities,
);

const page = { limit: 10, offset: 0, order: 'asc', orderBy: 'name', searchPrivate: true } as const;
const list =
  (wanted: Partial<Wanted>) =>
  ({ users }: Identity): Promise<unknown> =>
    users.list({ ...page, ...wanted });

const cases: Readonly<Record<string, (identity: Identity) => Promise<unknown>>> = {
  'the first page, by name': list({}),
  'the last ones to come': list({ orderBy: 'registered_date', order: 'desc' }),
  'by number': list({ orderBy: 'id' }),
  'by slug': list({ orderBy: 'slug' }),
  'by email address': list({ orderBy: 'email' }),
  'by email address, the last first': list({ orderBy: 'email', order: 'desc' }),
  'by address': list({ orderBy: 'url' }),
  'those of a role that most have': list({ roles: ['subscriber'] }),
  'those of a role that few have': list({ roles: ['administrator'] }),
  'those of a role, the last to come first': list({ roles: ['author'], orderBy: 'registered_date', order: 'desc' }),
  'those of several roles': list({ roles: ['author', 'administrator'] }),
  'those who may do something': list({ capabilities: ['edit_posts'] }),
  'a name searched for': list({ search: rare }),
  'an email address searched for': list({ search: `${rare}.1@example.org` }),
  'some by number': list({ include: [3, 1], orderBy: 'include' }),
  'some by slug': list({ slugs: ['quillfeather-1'] }),
  'one by number': ({ users }) => users.find(7),
  'one by name or email address': ({ users }) => users.named(`${rare}.1@example.org`),
  'a sign-in': ({ signIn }) => signIn.attempt({ login: `${rare}.1`, password: 'wrong', remember: false, client }),
  'a session': async ({ sessions }) => sessions.find('a'.repeat(43)),
  'an application password': async ({ applicationPasswords }) => applicationPasswords.holderOf('a'.repeat(24)),
};

onBothStores('users are found by an index', (engine) => {
  let plans: Plans;
  before(async () => {
    plans = await openPlans(engine);
  });

  test('never by reading the whole table', () =>
    checkRows(Object.entries(cases), async ([, work]) => {
      const all = await plans.of(work);
      assert.ok(all.length > 0, 'nothing was read');
      for (const plan of all)
        assert.deepEqual(plan.steps.filter(wholeTable(plan)), [], `${plan.statement}\n${plan.steps.join('\n')}`);
    }));
});

/** Steps that go through every row of a table; in order, and only until a page is full, that is no harm. */
function wholeTable({ statement, steps }: Plan): (step: string, at: number) => boolean {
  const isSorted = steps.some((step) => /USE TEMP B-TREE FOR ORDER BY|(?:^|-> +)Sort {2}\(/.test(step));
  if (/ limit /.test(statement) && !isSorted) return (step) => /Seq Scan/.test(step);
  return (step, at) =>
    /Seq Scan|^SCAN (?!.* VIRTUAL TABLE INDEX )/.test(step) ||
    (/Index(?: Only)? Scan .* on users\b/.test(step) && !steps[at + 1]?.includes('Index Cond'));
}

interface Plans {
  /** Of every statement that this work reads with. */
  of(work: (identity: Identity) => Promise<unknown>): Promise<Plan[]>;
}

async function openPlans(engine: TestEngine): Promise<Plans> {
  const { store, watched, place, settle, of } = await watchedStore(engine);
  const { data } = place;
  const secret = 'a secret that only this test knows of';
  const { identity } = await openServices({
    config: { ...readConfig({ flags: { data } }), secret },
    store: watched,
    clock: () => new Date('2026-11-20T12:00:00Z'),
    log: keptLog(),
    bundled: [],
    version: '1.0.0',
    trial: async () => undefined,
    followed: async () => {},
    roles,
    refusalTakes: 0,
  });
  await identity.users.add({ login: 'ada', roles: ['administrator'] });
  await fill(store, many);
  await settle();
  return { of: (work) => of(() => work(identity)) };
}
