// Who may do what with what goes with records: files, their history, and what people say about them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { eachEngine } from '#test/databases.ts';
import { neutral, outcome, upload } from '#test/paper.ts';
import { picture } from '#test/pictures.ts';
import { type Answer, aSite, type Client, type TestSite } from '#test/site.ts';
import { asRole } from './arranged.ts';
import { everybody, may, nobody, type Outcome, type Row, refused, row, type Somebody, usualRoles } from './rights.ts';

//                        nobody  subscriber  contributor  author  editor  administrator
//                                            own other    own other
const all = row('         +       +           +   +        +   +   +       +');
const writers = row('     -       -           +   -        +   -   +       +');
const publishers = row('  -       -           -   -        +   -   +       +');
const none = row('        -       -           -   -        -   -   -       -');

interface Deed {
  readonly name: string;
  readonly row: Row;
  readonly code: string;
  /** What those are told who may. */
  readonly fine?: Outcome;
  ask(client: Client): Promise<Answer>;
}

const fine: Outcome = [200, undefined];
const made: Outcome = [201, undefined];

type Holds = (somebody: Somebody, deeds: readonly Deed[]) => Promise<void>;

/** Does each thing as each person who is to be asked as; all that is not answered as the table has it is named. */
async function held(site: TestSite, ask: (holds: Holds) => Promise<void>): Promise<void> {
  const wrong: string[] = [];
  await ask(async (somebody, deeds) => {
    for (const { name, row: who, code, fine: told = fine, ask } of deeds) {
      const expected = may(who, somebody) ? told : refused(somebody, code);
      const got = outcome(await ask(asRole(site, somebody.role)));
      if (!isDeepStrictEqual(got, expected)) wrong.push(`${somebody.column}: ${name}: ${got}, expected ${expected}`);
    }
  });
  assert.deepEqual(wrong, []);
}

const pixels = await picture(10, 10, 'png');
const media = `${neutral}/media`;
/** A contributor sends no files, so none is theirs. */
const withFiles = everybody(usualRoles).filter(({ role, own }) => !own || role === 'author');

eachEngine('Who may do what with', (engine) => {
  let site: TestSite;
  let another: number;
  before(async () => {
    site = await aSite(engine);
    another = (await site.user({ login: 'another', roles: ['editor'] })).id;
  });
  const content = () => site.app.services.content;
  const owner = async ({ role, own }: Somebody): Promise<number> =>
    own && role !== nobody ? (await site.caller(role)).id : another;
  const doing = { unfiltered: true };
  const aPost = async (somebody: Somebody, status: string) =>
    content().posts.add('post', { title: 'A post', content: 'Words', status, author: await owner(somebody) }, doing);

  test('files', () =>
    held(site, async (holds) => {
      const { posts } = content();
      for (const somebody of withFiles) {
        const author = await owner(somebody);
        const file = async (parent = 0) => {
          const { body } = await upload(site.as('administrator'), media, 'a.png', pixels);
          await posts.change(await posts.get(body.id), { author, parent }, doing);
          return body;
        };
        const [one, loose] = [await file(), await file()];
        const hidden = await posts.add('post', { title: 'Hidden', status: 'private', author: another }, doing);
        const attached = await file(hidden.id);
        const path = `${media}/${one.id}`;
        const isTheirs = { row: publishers, code: 'rest_cannot_edit' };
        await holds(somebody, [
          { name: 'look', row: all, code: '', ask: (client) => client.get(path) },
          {
            name: 'look as editors',
            row: publishers,
            code: 'rest_forbidden_context',
            ask: (client) => client.get(`${path}?context=edit`),
          },
          {
            name: 'look at what goes with something hidden',
            row: publishers,
            code: 'rest_forbidden',
            ask: (client) => client.get(`${media}/${attached.id}`),
          },
          { name: 'describe', ...isTheirs, ask: (client) => client.post(path, { alt_text: 'x' }) },
          {
            name: 'make copies',
            ...isTheirs,
            ask: (client) => client.post(`${path}/post-process`, { action: 'create-image-subsizes' }),
          },
          {
            name: 'turn',
            row: publishers,
            code: 'rest_cannot_edit_image',
            fine: made,
            ask: (client) => client.post(`${path}/edit`, { src: one.source_url, rotation: 90 }),
          },
          {
            name: 'put into the trash',
            row: publishers,
            code: 'rest_cannot_delete',
            fine: [501, 'rest_trash_not_supported'],
            ask: (client) => client.delete(path),
          },
          {
            name: 'delete',
            row: publishers,
            code: 'rest_cannot_delete',
            ask: (client) => client.delete(`${media}/${loose.id}?force=true`),
          },
        ]);
      }
      const uploaders = row('- - - - + + + +');
      for (const somebody of everybody(usualRoles))
        await holds(somebody, [
          {
            name: 'send',
            row: uploaders,
            code: 'rest_cannot_create',
            fine: made,
            ask: (client) => upload(client, media, 'a.png', pixels),
          },
        ]);
    }));

  for (const [status, rule] of [
    ['publish', publishers],
    ['draft', writers],
  ] as const)
    test(`the history of a post that is ${status}`, () =>
      held(site, async (holds) => {
        const { posts, revisions } = content();
        for (const somebody of everybody(usualRoles)) {
          const post = await aPost(somebody, status);
          await posts.change(post, { content: 'Other words' }, doing);
          const { items } = await revisions.list({ post: post.id, offset: 0, order: 'desc', orderBy: 'date' });
          const aside = await revisions.autosave(post, { content: 'Aside' }, another, doing);
          const path = `${neutral}/posts/${post.id}`;
          const one = `${path}/revisions/${items[0]!.id}`;
          const reads = { row: rule, code: 'rest_cannot_read' };
          await holds(somebody, [
            { name: 'list', ...reads, ask: (client) => client.get(`${path}/revisions`) },
            { name: 'look', ...reads, ask: (client) => client.get(one) },
            { name: 'look as editors', ...reads, ask: (client) => client.get(`${one}?context=edit`) },
            { name: 'list what is not saved', ...reads, ask: (client) => client.get(`${path}/autosaves`) },
            {
              name: 'look at what is not saved',
              ...reads,
              ask: (client) => client.get(`${path}/autosaves/${aside.id}`),
            },
            {
              name: 'put aside',
              row: rule,
              code: 'rest_cannot_edit',
              ask: (client) => client.post(`${path}/autosaves`, { title: 'x' }),
            },
            {
              name: 'delete',
              row: none,
              code: 'rest_cannot_delete',
              ask: (client) => client.delete(`${one}?force=true`),
            },
          ]);
        }
      }));

  for (const [status, rule, seen] of [
    ['publish', publishers, all],
    ['draft', writers, writers],
  ] as const)
    test(`what is said about a post that is ${status}`, () =>
      held(site, async (holds) => {
        const { posts, comments } = content();
        for (const somebody of everybody(usualRoles)) {
          const post = await aPost(somebody, 'publish');
          const say = async (as: string): Promise<string> => {
            const said = {
              post: post.id,
              content: `${as} ${somebody.column}`,
              status: as,
              author_name: 'Ada',
              author_email: 'a@b.test',
            };
            const speaking = { unfiltered: true, trusted: true, speaker: 0, address: '192.0.2.1', agent: '' };
            return `${neutral}/comments/${(await comments.add(said, speaking)).id}`;
          };
          const [shown, waiting] = [await say('approve'), await say('hold')];
          if (status !== 'publish') await posts.change(post, { status }, doing);
          const hidden = status === 'publish' ? '' : 'rest_cannot_read_post';
          const changes = { row: rule, code: 'rest_cannot_edit' };
          const deletes = { row: rule, code: 'rest_cannot_delete' };
          await holds(somebody, [
            { name: 'look', row: seen, code: hidden, ask: (client) => client.get(shown) },
            { name: 'look at what waits', row: rule, code: 'rest_cannot_read', ask: (client) => client.get(waiting) },
            {
              name: 'look as editors',
              row: rule,
              code: 'rest_forbidden_context',
              ask: (client) => client.get(`${shown}?context=edit`),
            },
            { name: 'approve', ...changes, ask: (client) => client.put(waiting, { status: 'approve' }) },
            { name: 'change', ...changes, ask: (client) => client.put(shown, { content: `by ${somebody.column}` }) },
            { name: 'put into the trash', ...deletes, ask: (client) => client.delete(shown) },
            { name: 'restore', ...changes, ask: (client) => client.put(shown, { status: 'untrash' }) },
            { name: 'delete', ...deletes, ask: (client) => client.delete(`${waiting}?force=true`) },
          ]);
        }
      }));
});
