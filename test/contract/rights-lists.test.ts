// Who may make which records, and whose records who finds in lists.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { eachEngine } from '#test/databases.ts';
import { idsIn, neutral, outcome } from '#test/paper.ts';
import { type Answer, aSite, type TestSite } from '#test/site.ts';
import { asRole } from './arranged.ts';
import { everybody, may, nobody, type Outcome, refused, row, usualRoles } from './rights.ts';

//                          nobody  subscriber  contributor  author  editor  administrator
//                                              own other    own other
const writers = row('       -       -           +   +        +   +   +       +');
const publishers = row('    -       -           -   -        +   +   +       +');
const editors = row('       -       -           -   -        -   -   +       +');

/** By type and status: who may make it so; and who may make it at all. */
const making = {
  posts: {
    some: writers,
    draft: writers,
    pending: writers,
    publish: publishers,
    future: publishers,
    private: publishers,
  },
  pages: { some: editors, draft: editors, pending: editors, publish: editors, future: editors, private: editors },
} as const;

/** What a list answers: everything, one's own, nothing, or that one may not look for this, or not so. */
type Found = 'all' | 'own' | 'none' | 'status' | 'context';

const asking = [
  nobody,
  'subscriber',
  'parishioner',
  'contributor',
  'author',
  'organizer',
  'editor',
  'parish_admin',
  'administrator',
] as const;

//                                nobody  subscriber parishioner contributor author organizer editor parish_admin administrator
const lists: readonly [base: string, query: string, found: string][] = [
  ['posts', 'status=publish', '   all     all        all         all         all    all       all    all          all'],
  ['posts', 'status=draft', '     status  status     status      own         own    own       all    all          all'],
  ['posts', 'status=pending', '   status  status     status      own         own    own       all    all          all'],
  ['posts', 'status=future', '    status  status     status      own         own    own       all    all          all'],
  ['posts', 'status=private', '   status  status     status      own         own    all       all    all          all'],
  ['posts', 'status=trash', '     status  status     status      own         own    own       all    all          all'],
  ['posts', 'context=edit', '     context context    context     none        own    own       all    all          all'],
  ['posts', 'status=draft&context=edit', 'status status status   own         own    own       all    all          all'],
  ['posts', 'status=private&context=edit', 'status status status own         own    own       all    all          all'],
  ['pages', 'status=publish', '   all     all        all         all         all    all       all    all          all'],
  ['pages', 'status=draft', '     status  status     status      status      status status    all    all          all'],
  ['pages', 'status=private', '   status  status     all         status      status all       all    all          all'],
  ['pages', 'status=trash', '     status  status     status      status      status status    all    all          all'],
  ['pages', 'context=edit', '     context context    context     context     context context  all    all          all'],
];

interface Owned {
  readonly id: number;
  readonly author: number;
}

/** What somebody finds, by whose it is. */
function foundIn(answer: Answer, own: number, there: readonly Owned[]): Found | unknown[] {
  const { status, body } = answer;
  if (status === 400 && body.data.details.status?.code === 'rest_forbidden_status') return 'status';
  if (body.code === 'rest_forbidden_context') return 'context';
  if (status !== 200) return outcome(answer);
  const ids = idsIn(answer).sort();
  const same = (some: readonly Owned[]): boolean =>
    ids.join() ===
    some
      .map(({ id }) => id)
      .sort()
      .join();
  if (ids.length === 0) return 'none';
  if (same(there)) return 'all';
  return same(there.filter(({ author }) => author === own)) ? 'own' : ids;
}

eachEngine('Records of many', (engine) => {
  let site: TestSite;
  before(async () => {
    site = await aSite(engine);
  });
  const date = '2030-01-01T08:00:00';

  test('who may make which records', async () => {
    const rows = Object.entries(making).flatMap(([base, { some, ...byStatus }]) =>
      Object.entries(byStatus).map(([status, allowed]) => ({ base, some, status, allowed })),
    );
    const wrong: string[] = [];
    for (const { base, some, status, allowed } of rows)
      for (const somebody of everybody(usualRoles)) {
        const said = { title: 'New', status, ...(status === 'future' && { date }) };
        const got = outcome(await asRole(site, somebody.role).post(`${neutral}/${base}`, said));
        const without = may(some, somebody) ? 'rest_cannot_publish' : 'rest_cannot_create';
        const expected: Outcome = may(allowed, somebody) ? [201, undefined] : refused(somebody, without);
        if (!isDeepStrictEqual(got, expected))
          wrong.push(`${somebody.column}: ${base} that are ${status}: ${got}, expected ${expected}`);
      }
    assert.deepEqual(wrong, []);
  });

  test('who finds whose records in lists', async () => {
    const { posts } = site.app.services.content;
    const wrong: string[] = [];
    const owners = await Promise.all(['author', 'organizer', 'contributor', 'editor'].map((role) => site.caller(role)));
    for (const [base, query, found] of lists) {
      const status = /status=(\w+)/.exec(query)?.[1] ?? 'publish';
      const tag = `of ${base} ${query}`;
      const made = owners.map(async ({ id: author }): Promise<Owned> => {
        const said = {
          title: tag,
          author,
          status: status === 'trash' ? 'draft' : status,
          ...(status === 'future' && { date }),
        };
        const post = await posts.add(base.slice(0, -1), said, { unfiltered: true });
        return status === 'trash' ? posts.trash(post, {}) : post;
      });
      const there = await Promise.all(made);
      const include = there.map(({ id }) => id).join();
      for (const [at, expected] of found.trim().split(/\s+/).entries()) {
        const role = asking[at]!;
        const own = role === nobody ? 0 : (await site.caller(role)).id;
        const answer = await asRole(site, role).get(`${neutral}/${base}?include=${include}&${query}`);
        const got = foundIn(answer, own, there);
        if (got !== expected) wrong.push(`${role}: ${base}?${query}: ${got}, expected ${expected}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});
