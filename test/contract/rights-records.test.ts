// The permission matrix: everybody, about what is theirs and what is not, in every state, whatever can be done with it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Post, PostInput } from '#site/content/posts/post.ts';
import { eachEngine } from '#test/databases.ts';
import { neutral, outcome } from '#test/paper.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { asRole } from './arranged.ts';
import { type Deed, deeds, type Rules } from './deeds.ts';
import { everybody, nobody, row, type Somebody, usualRoles } from './rights.ts';

/** As it was made, and whether it was put into the trash then. */
const states: Readonly<Record<string, PostInput>> = {
  publish: { status: 'publish' },
  protected: { status: 'publish', password: 'sesame' },
  future: { status: 'future', date: '2030-01-01T08:00:00' },
  draft: { status: 'draft' },
  pending: { status: 'pending' },
  private: { status: 'private' },
  'trashed draft': { status: 'draft' },
  'trashed publish': { status: 'publish' },
};

//                      nobody  subscriber  contributor  author  editor  administrator
//                                          own other    own other
const all = row('              +   +          +   +       +  +     +       +');
const writers = row('          -   -          +   -       +  -     +       +');
const publishers = row('       -   -          -   -       +  -     +       +');
const editors = row('          -   -          -   -       -  -     +       +');
const inside = row('           -   -          +   -       +  -     +       +', 'organizer');
const members = row('          -   -          +   -       +  -     +       +', 'organizer', 'parishioner');

/** By type and state. */
const rules: Readonly<Record<'post' | 'page', Readonly<Record<string, Rules>>>> = {
  post: {
    publish: { read: all, change: publishers },
    protected: { read: all, change: publishers },
    future: { read: writers, change: publishers },
    draft: { read: writers, change: writers },
    pending: { read: writers, change: writers },
    private: { read: inside, change: writers },
    'trashed draft': { read: writers, change: writers },
    'trashed publish': { read: writers, change: publishers },
  },
  page: {
    publish: { read: all, change: editors },
    protected: { read: all, change: editors },
    future: { read: writers, change: editors },
    draft: { read: writers, change: editors },
    pending: { read: writers, change: editors },
    private: { read: members, change: editors },
    'trashed draft': { read: writers, change: editors },
    'trashed publish': { read: writers, change: editors },
  },
};

type Make = () => Promise<Post>;

/** Asks one after the other, and says what was not as the table has it. A refusal leaves the record as it was. */
async function asked(
  site: TestSite,
  make: Make,
  somebody: Somebody,
  state: string,
  rule: Rules,
  some: readonly Deed[],
) {
  const wrong: string[] = [];
  const { posts } = site.app.services.content;
  const client = asRole(site, somebody.role);
  let post = await make();
  for (const deed of some) {
    const before = await posts.find(post.id);
    const path = `${neutral}/${post.type}s/${post.id}`;
    const answer = await deed.ask(client, path);
    const expected = deed.expected(rule, somebody, state);
    const got = outcome(answer);
    const after = await posts.find(post.id);
    const isKept = expected[0] === 200 || JSON.stringify(after) === JSON.stringify(before);
    const about = `${somebody.role} (${somebody.column}): ${deed.name}: a ${post.type}, ${state}`;
    if (!isDeepStrictEqual(got, expected)) wrong.push(`${about}: ${got}, expected ${expected}`);
    if (!isKept) wrong.push(`${about}: refused, and changed`);
    if (deed.spoils && answer.status === 200) post = await make();
  }
  return wrong;
}

eachEngine('Who may do what with a record', (engine) => {
  let site: TestSite;
  let another: number;
  before(async () => {
    site = await aSite(engine);
    another = (await site.user({ login: 'another', roles: ['editor'] })).id;
  });

  const maker = (type: string, state: string, author: number): Make => {
    const { posts } = site.app.services.content;
    const said = { title: 'A title', comment_status: 'open', author, ...states[state] };
    return async () => {
      const post = await posts.add(type, said, { unfiltered: true });
      return state.startsWith('trashed') ? posts.trash(post, {}) : post;
    };
  };

  for (const [type, byState] of Object.entries(rules))
    test(`a ${type} in every state`, async () => {
      // What the roles of a deployment may is the same on both stores.
      const roles = engine.name === 'sqlite' ? Object.keys(site.config.deployment.roles) : usualRoles;
      const wrong: string[] = [];
      const some = deeds.filter(({ ofPosts }) => type === 'post' || !ofPosts);
      for (const [state, rule] of Object.entries(byState))
        for (const somebody of everybody(roles)) {
          const { role, own } = somebody;
          const author = own && role !== nobody ? (await site.caller(role)).id : another;
          wrong.push(...(await asked(site, maker(type, state, author), somebody, state, rule, some)));
        }
      assert.deepEqual(wrong, []);
    });
});
