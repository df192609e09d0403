// Whose folders they are: those of an account, of programs with the key, of other tools.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { at, drawn, type Node, treesOf } from '#test/media-folders.ts';
import { type Answer, aSite } from '#test/site.ts';
import { media, send } from '#test/uploads.ts';

eachEngine('Media folders', (engine) => {
  test('are each account’s own in user mode, and go with it or to its heir', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    assert.equal((await admin.post(`${at}/set-settings`, { USER_MODE: true })).body, true);
    const [ada, bob] = [
      await site.user({ login: 'ada', roles: ['editor'] }),
      await site.user({ login: 'bob', roles: ['editor'] }),
    ];
    const [as, of] = [site.asUser(ada), site.asUser(bob)];
    const file = (await send(site, 'editor', 'a.txt', 'x')).body.id;
    const make = async (who: typeof as) =>
      (await who.post(`${at}/new-folder`, { title: 'Mine', parent: 0 })).body[0].id;
    const [hers, his] = [await make(as), await make(of)];
    for (const [who, folderId] of [
      [as, hers],
      [of, his],
    ] as const)
      assert.equal((await who.post(`${at}/assign-folder`, { folderId, ids: [file] })).status, 200);
    assert.equal(
      (await of.post(`${at}/update-folder`, { id: hers, title: 'x', parent: 0 })).body.code,
      'folder_not_found',
    );
    assert.equal((await of.get(`${media}?mf_folder=${hers}`)).body.code, 'folder_not_found');
    assert.deepEqual(
      (await as.get(`${media}?mf_folder=${hers}`)).body.map(({ id }: { id: number }) => id),
      [file],
    );
    assert.equal((await admin.get(`${at}/export-csv`)).body.folders.length, 2);
    assert.equal((await as.get(`${at}/export-csv`)).body.folders.length, 1);
    await as.post(`${at}/set-user-settings`, { DEFAULT_FOLDER: hers, THEME: { name: 'strange' } });
    const { user } = (await as.get(`${at}/settings`)).body;
    assert.deepEqual([user.DEFAULT_FOLDER, user.THEME], [hers, { name: 'default' }]);

    const users = '/api/core/v2/users';
    assert.equal((await admin.delete(`${users}/${ada.id}?force=true&reassign=${bob.id}`)).status, 200);
    const { tree, attachmentsCount } = (await of.get(`${at}/get-folders`)).body;
    assert.equal(drawn(tree), 'Mine0 Mine (1)1');
    assert.deepEqual(attachmentsCount.actual, { [his]: 1, [hers]: 0 });
    assert.equal((await admin.delete(`${media}/${file}?force=true`)).status, 200);
    assert.deepEqual((await of.get(`${at}/get-folders`)).body.attachmentsCount.actual, { [his]: 0, [hers]: 0 });
    assert.equal((await admin.delete(`${users}/${bob.id}?force=true&reassign=`)).status, 200);
    const { db } = site.app.services.store;
    const rows = await Promise.all(
      ['media_folders', 'media_folder_items', 'media_folder_users', 'media_folder_trees'].map((table) =>
        db.selectFrom(table).selectAll().execute(),
      ),
    );
    assert.deepEqual(rows, [[], [], [], []]);
  });

  test('are open to programs that hold the key, and to no others', async () => {
    const site = await aSite(engine);
    const open = '/api/mediafolders/public/v1';
    const renew = async () =>
      (await site.as('administrator').post(`${at}/mfv-api`, { act: 'generate-key' })).body.data.key;
    assert.equal((await site.as('administrator').get(`${open}/folders`)).status, 401);
    const [former, key] = [await renew(), await renew()];
    assert.match(key, /^[0-9a-zA-Z]{40}$/);
    const bearer = { authorization: `Bearer ${key}` };
    const refused = await site.get(`${open}/folders?token=${former}`);
    assert.deepEqual([refused.status, refused.body.code, refused.body.success], [401, 'rest_forbidden', false]);
    const names: string[] = [];
    for (let n = 0; n < 3; n++)
      names.push((await site.post(`${open}/folders`, { name: 'A', token: key })).body.data.id);
    const { folders } = (await site.get(`${open}/folders`, bearer)).body.data;
    assert.deepEqual(
      folders.map(({ text }: Node) => text),
      ['A', 'A (1)', 'A (2)'],
    );
    const file = (await send(site, 'author', 'a.txt', 'x')).body.id;
    const set = await site.post(`${open}/folder/set-attachment`, { ids: [file, 999], folder: names[0] }, bearer);
    assert.deepEqual(set.body, { success: true, data: { assigned: 1, skipped: 1 } });
    const count = async (folder: unknown) =>
      (await site.get(`${open}/attachment-count?folder_id=${folder}`, bearer)).body;
    assert.deepEqual(
      [(await count(names[0])).data, (await count(-1)).data, (await count(0)).data],
      [{ count: 1 }, { count: 1 }, { count: 0 }],
    );
    assert.deepEqual((await site.get(`${open}/attachment-id?folder_id=${names[0]}`, bearer)).body.data, {
      attachment_ids: [file],
    });
    assert.equal((await site.get(`${open}/folder?folder_id=999`, bearer)).status, 404);
    assert.equal((await site.get(`${open}/folder`, bearer)).body.code, 'rest_missing_callback_param');
    assert.doesNotMatch(JSON.stringify(site.log.lines), new RegExp(`${key}|${former}`));
    let last = await count(0);
    for (let n = 0; n < 60 && last.code === undefined; n++) last = await count(0);
    assert.equal(last.code, 'too_many_requests');
  });

  test('come from what other tools left here', async () => {
    const site = await aSite(engine);
    const { store } = site.app.services;
    const file = (await send(site, 'author', 'a.txt', 'x')).body.id;
    const [inner, outer, legacy] = await store.write(async (tx) => {
      const term = async (taxonomy: string, name: string, parent: number) =>
        (
          await tx
            .insertInto('terms')
            .values({ taxonomy, slug: name, name, name_key: name, description: '', parent, count: 0 })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id;
      const outer = await term('media_category', 'Outer &amp; more', 0);
      const inner = await term('media_category', 'inner', outer);
      const legacy = await term('media_folder_legacy', 'Old', 0);
      const post = { post_id: file, type: 'attachment', status: 'inherit', date: '2026-01-01T00:00:00' };
      await tx
        .insertInto('post_terms')
        .values({ ...post, term_id: inner, taxonomy: 'media_category' })
        .execute();
      await tx
        .insertInto('post_terms')
        .values({ ...post, term_id: legacy, taxonomy: 'media_folder_legacy' })
        .execute();
      return [inner, outer, legacy];
    });
    assert.ok(inner > outer);
    const { get, post, tree } = treesOf(site.as('author'));
    assert.equal((await get(`${at}/import/run/terms`)).body.code, 'import_not_prepared');
    assert.equal((await get(`${at}/import/get-folders/other`)).body.code, 'import_source_not_found');
    assert.deepEqual((await get(`${at}/import/get-folders/terms`)).body, { result: true, counter: 2 });
    assert.deepEqual((await get(`${at}/import/get-attachments/terms`)).body, { result: true, counter: 1 });
    const calls: Answer['body'][] = [(await get(`${at}/import/run/terms`)).body];
    while (calls.at(-1).next) calls.push((await get(`${at}/import/run/terms?offset=${calls.at(-1).offset}`)).body);
    assert.deepEqual(
      calls.map((one) => [one.folders_created, one.attachments_assigned, one.total]),
      [
        [2, 0, 3],
        [0, 1, 3],
      ],
    );
    assert.equal(await tree(), 'Outer & more0(inner0)');
    const sources = (await get(`${at}/import/get-folders/all`)).body;
    assert.deepEqual(
      sources.map(({ prefix, completed }: { prefix: string; completed: boolean }) => [prefix, completed]),
      [
        ['terms', true],
        ['tree', false],
        ['items', false],
      ],
    );
    const admin = site.as('administrator');
    const { folders } = (await post(`${at}/mf-get-old-data`)).body.data;
    assert.deepEqual(folders, [[{ id: legacy, name: 'Old', parent: 0, created_by: 0, attachments: [file] }]]);
    assert.equal((await admin.post(`${at}/mf-insert-old-data`, { folders: folders[0] })).body.success, true);
    assert.equal(await tree(), 'Outer & more0(inner0) Old1');
    assert.equal((await admin.post(`${at}/mf-wipe-old-data`)).body.success, true);
    assert.deepEqual((await post(`${at}/mf-get-old-data`)).body.data.folders, []);
  });
});
