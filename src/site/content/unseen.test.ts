// The conditions on rows answer as the rules about records do, for every role and every kind of record.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { onBothStores } from '#test/databases.ts';
import { insertPostRows } from '#test/post-rows.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import type { Post } from './posts/post.ts';
import { statuses } from './statuses.ts';
import type { Writing } from './tables.ts';

const roles = [undefined, 'subscriber', 'contributor', 'author', 'editor', 'administrator', 'organizer', 'parishioner'];

onBothStores('What a caller does not see', (engine) => {
  let site: TestSite;
  let posts: Post[];

  before(async () => {
    site = await aSite(engine);
    const { content, store } = site.app.services;
    const own = await Promise.all(roles.slice(1).map(async (role) => (await site.caller(role)).id));
    const kinds = content.kinds.types.flatMap((type) =>
      statuses.flatMap(({ name: status }) =>
        status === 'inherit' && type.name !== 'attachment'
          ? []
          : (status === 'trash' ? ['publish', 'private', 'draft'] : [null]).map((status_before) => ({
              type: type.name,
              status,
              status_before,
            })),
      ),
    );
    const given = kinds.flatMap((kind) =>
      [0, 999, ...own].flatMap((author) => ['', 'sesame'].map((password) => ({ ...kind, author, password }))),
    );
    posts = await store.write(async (tx: Writing) => {
      const all = await insertPostRows(tx, given);
      const hosts = all.filter(({ author }) => author === 999 || author === own[2]);
      const files = hosts.flatMap(({ id: parent }) =>
        [999, own[1]!].map((author) => ({ type: 'attachment', status: 'inherit', author, parent })),
      );
      return [...all, ...(await insertPostRows(tx, files))];
    });
  });

  test('is the same by the rows and by the rules, for each role', () =>
    checkRows(roles, async (role) => {
      const { content, store } = site.app.services;
      const { rights, unseen } = content;
      const caller = await site.caller(role);
      const idsOf = async (query: ReturnType<typeof unseen.discussions>): Promise<Set<number>> =>
        new Set((await sql<{ id: number }>`${query}`.execute(store.db)).rows.map(({ id }) => id));
      const { ids, isParent } = unseen.parents(caller);
      const [records, discussions] = [await idsOf(ids), await idsOf(unseen.discussions(caller))];
      const below = await idsOf(sql<number>`select posts.id from posts where ${isParent}`);
      for (const post of posts) {
        const { id, status, status_before, type, author, password, parent } = post;
        const about = JSON.stringify({ type, status, status_before, author, password, parent, caller: caller.id });
        const mayRead = await rights.mayRead(caller, post);
        const maySpeak = rights.mayEdit(caller, post) || (mayRead && password === '');
        // Attachments are left out by the records that they belong to.
        if (status !== 'inherit') assert.equal(records.has(id), !mayRead, about);
        assert.equal(discussions.has(id), !maySpeak, about);
        assert.equal(below.has(id), records.has(parent), about);
      }
    }));
});
