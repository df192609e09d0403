// Media folders from the outside: one library sorted into folders, and what is refused.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { type Answer, aSite, type TestSite } from '#test/site.ts';
import { media, send } from '#test/uploads.ts';
import { cleanFolderName } from './folder-names.ts';

const at = '/api/mediafolders/v1';

interface Node {
  readonly id: number;
  readonly text: string;
  readonly ord: number;
  readonly children: readonly Node[];
}

/** A tree as a text: `A0 B1(D0) C2`. */
const drawn = (nodes: readonly Node[]): string =>
  nodes.map(({ text, ord, children }) => `${text}${ord}${children.length > 0 ? `(${drawn(children)})` : ''}`).join(' ');

function treesOf(site: TestSite, role = 'author') {
  const { get, post } = site.as(role);
  const tree = async (query = ''): Promise<string> => drawn((await get(`${at}/get-folders${query}`)).body.tree);
  const make = async (title: string, parent = 0): Promise<number> => {
    const { status, body, text } = await post(`${at}/new-folder`, { title, parent });
    assert.equal(status, 200, text);
    return body[0].id;
  };
  const drag = (dragNodeId: number, dropNodeId: number, dropPosition: number, toParentId: number): Promise<Answer> =>
    post(`${at}/update-folder-ord`, { dragNodeId, dropNodeId, dropPosition, toParentId });
  return { tree, make, drag, get, post };
}

const form = (name: string, csv: string, fields: Record<string, string> = {}) => {
  const said = Object.entries(fields).map(
    ([key, value]) => `--b\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const head = `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  return `${said.join('')}${head}${csv}\r\n--b--\r\n`;
};
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

eachEngine('Media folders', (engine) => {
  test('sort a library: made, dragged, colored, counted, deleted, and back from a CSV file', async () => {
    const site = await aSite(engine);
    const { tree, make, drag, get, post } = treesOf(site);
    const [a, b, c] = [await make('A'), await make('B'), await make('C')];
    const d = await make('D', b);
    assert.equal(await tree(), 'A0 B1(D0) C2');
    assert.equal((await drag(c, a, 1, 0)).body, true);
    assert.equal(await tree(), 'A0 C1 B2(D0)');
    await drag(c, a, -1, 0);
    assert.equal(await tree(), 'C1 A2 B3(D0)');
    await drag(a, b, 0, b);
    assert.equal(await tree(), 'C1 B3(A1 D2)');
    const cycle = await drag(b, d, 0, d);
    assert.deepEqual([cycle.status, cycle.body.code, await tree()], [409, 'folder_cycle', 'C1 B3(A1 D2)']);

    const several = await post(`${at}/new-folder`, { title: 'img10, img2 ,C,, img2', parent: 0, isMultiple: true });
    assert.deepEqual(
      several.body.map(({ title }: { title: string }) => title),
      ['img10', 'img2'],
    );
    assert.equal((await post(`${at}/update-folder`, { id: c, title: '==Ünï <b>x</b>', parent: 0 })).body, true);
    assert.equal(await tree('?orderby=name&order=asc'), 'B3(A1 D2) img25 img104 Ünï x1');
    assert.equal(await tree('?search=IMG'), 'img104 img25');
    assert.equal(await tree('?order=reset'), 'Ünï x1 B3(A1 D2) img104 img25');
    assert.equal((await post(`${at}/update-folder-color`, { folderId: b, color: '#F60' })).body, true);

    const files: number[] = [];
    for (const name of ['1.txt', '2.txt', '3.txt']) files.push((await send(site, 'author', name, 'x')).body.id);
    const filed = await send(site, 'author', '4.jpg', await picture(400, 300), `?mf_folder=${d}`);
    assert.equal(filed.status, 201, filed.text);
    files.push(filed.body.id);
    assert.ok(!('mf_folder' in filed.body));
    const counts = (await post(`${at}/assign-folder`, { folderId: a, ids: [files[0], files[1], 999_999] })).body;
    assert.deepEqual(counts.actual, {
      [a]: 2,
      [b]: 0,
      [c]: 0,
      [d]: 1,
      [several.body[0].id]: 0,
      [several.body[1].id]: 0,
    });
    const deep = (await get(`${at}/set-folder-counter?type=counter_file_in_folder_and_sub`)).body;
    assert.deepEqual([deep.display[b], deep.actual[b]], [3, 0]);
    const listed = async (folder: number): Promise<number[]> =>
      (await site.get(`${media}?mf_folder=${folder}`)).body.map(({ id }: { id: number }) => id).sort();
    assert.deepEqual(
      [await listed(a), await listed(0), (await listed(-1)).length],
      [[files[0], files[1]], [files[2]], 4],
    );
    const whole = (await get(`${at}/get-folders`)).body;
    assert.deepEqual([whole.allAttachmentsCount, whole.attachmentsCount.display[b]], [4, 3]);

    const blocks = { selectedFolder: [d], linkTo: 'media', className: 'mine" onload="' };
    const { html } = (await post(`${at}/gutenberg-get-images`, blocks)).body;
    assert.match(
      html,
      /^<ul class="[^"]*columns-3 is-cropped"[^>]*><li><figure><a href="[^"]*4\.jpg"><img [^>]*wp-image-\d+ size-full/,
    );
    assert.doesNotMatch(html, /onload/);
    const text = `<!-- wp:media-folders/gallery {"selectedFolder":[${a}]} /-->`;
    const page = await site.as('editor').post('/api/core/v2/posts', { title: 'p', status: 'publish', content: text });
    assert.match((await site.get(`/api/core/v2/posts/${page.body.id}`)).body.content.rendered, /There are no images/);

    const admin = site.as('administrator');
    const csv = (await admin.get(`${at}/export-csv?format=csv`)).text;
    assert.match(csv, /^\ufeffid,name,parent,type,ord,created_by,attachment_ids\r\n/);
    const before = await tree();
    const wiped = await admin.post(`${at}/mf-wipe-clear-all-data`);
    assert.deepEqual([wiped.body.success, await tree(), (await listed(0)).length], [true, '', 4]);
    const imported = await admin.post(`${at}/import-csv`, form('file', csv), multipart);
    assert.deepEqual(
      { ...imported.body.data, mess: '' },
      { mess: '', folders_created: 6, folders_reused: 0, attachments_assigned: 3, attachments_skipped: 0, orphans: 0 },
    );
    const plain = (one: string): string => one.replaceAll(/(?<=[A-Za-z])\d+/g, '');
    assert.equal(plain(await tree()), plain(before));
    assert.equal((await admin.post(`${at}/import-csv`, form('file', csv), multipart)).body.data.folders_reused, 6);

    const again = (await get(`${at}/get-folders?search=b`)).body.tree[0].id;
    const left = (await post(`${at}/delete-folder`, { ids: [again, 999_999] })).body;
    assert.equal(Object.keys(left.actual).length, 3);
    assert.equal((await listed(0)).length, 4);
  });

  test('refuse what would break a tree, and leave no trace', async () => {
    const site = await aSite(engine);
    const { tree, make, post, get } = treesOf(site);
    const [a, b] = [await make('A'), await make('B')];
    const inner = await make('b', a);
    const file = (await send(site, 'editor', 'theirs.txt', 'x')).body.id;
    const before = await tree();
    const move = (more: object) => ({ dragNodeId: b, dropNodeId: a, toParentId: 0, dropPosition: 1, ...more });
    const cases: readonly (readonly [path: string, body: object, status: number, code: string])[] = [
      ['new-folder', { parent: 0 }, 400, 'rest_missing_callback_param'],
      ['new-folder', { title: 'x', parent: -1 }, 400, 'rest_invalid_param'],
      ['new-folder', { title: ' =+@ \u0000', parent: 0 }, 400, 'validation_failed'],
      ['new-folder', { title: '<b></b>', parent: 0 }, 400, 'validation_failed'],
      ['new-folder', { title: 'x'.repeat(251), parent: 0 }, 400, 'validation_failed'],
      ['new-folder', { title: 'a', parent: 0 }, 409, 'folder_name_exist'],
      ['new-folder', { title: 'x', parent: 999 }, 404, 'folder_not_found'],
      [
        'new-folder',
        { title: Array.from({ length: 101 }, (_, n) => `n${n}`).join(), parent: 0, isMultiple: true },
        400,
        'validation_failed',
      ],
      ['update-folder', { id: a, title: 'B', parent: 0 }, 409, 'folder_name_exist'],
      ['update-folder', { id: 999, title: 'x', parent: 0 }, 404, 'folder_not_found'],
      ['update-folder-color', { folderId: a, color: 'red' }, 400, 'rest_invalid_param'],
      ['update-folder-color', { folderId: 999, color: '#fff' }, 404, 'folder_not_found'],
      ['update-folder-ord', move({ dropPosition: 2 }), 400, 'invalid_params'],
      ['update-folder-ord', move({ dropPosition: 'x' }), 400, 'invalid_params'],
      ['update-folder-ord', move({ dropNodeId: b }), 400, 'invalid_params'],
      ['update-folder-ord', move({ toParentId: a }), 400, 'invalid_params'],
      ['update-folder-ord', move({ dropNodeId: 999 }), 404, 'folder_not_found'],
      ['update-folder-ord', move({ dropPosition: 0 }), 409, 'folder_name_exist'],
      ['update-folder-ord', move({ dragNodeId: a, dropNodeId: inner, toParentId: a }), 409, 'folder_cycle'],
      ['delete-folder', { ids: [] }, 400, 'delete_failed'],
      ['assign-folder', { folderId: 999, ids: [file] }, 400, 'validation_failed'],
      ['assign-folder', { folderId: a, ids: [file, 999] }, 400, 'validation_failed'],
      ['set-user-settings', { DEFAULT_SORT_FOLDERS: { orderby: 'size', order: 'asc' } }, 400, 'rest_invalid_param'],
      ['set-settings', { USER_MODE: 'maybe' }, 403, 'rest_forbidden'],
      ['mf-no-thanks', { site: 'nothing' }, 404, 'import_source_not_found'],
      ['mfv-api', { act: 'generate-key' }, 403, 'rest_forbidden'],
      ['import-csv', {}, 400, 'missing_file'],
    ];
    const offenders: unknown[] = [];
    for (const [path, body, status, code] of cases) {
      const answer = await post(`${at}/${path}`, body);
      if (answer.status !== status || answer.body.code !== code)
        offenders.push([path, body, answer.status, answer.body]);
    }
    for (const path of ['set-folder-counter?type=x', `get-folders?search=${'x'.repeat(201)}`]) {
      const answer = await get(`${at}/${path}`);
      if (answer.body.code !== 'rest_invalid_param') offenders.push([path, answer.body]);
    }
    assert.deepEqual(offenders, []);
    assert.equal((await site.as('contributor').get(`${at}/get-folders`)).status, 403);
    assert.equal((await site.get(`${at}/get-folders`)).status, 401);
    const upload = await send(site, 'author', 'lost.txt', 'x', '?mf_folder=999');
    assert.deepEqual([upload.status, upload.body.code], [404, 'folder_not_found']);
    assert.deepEqual([await tree(), (await site.get(media)).body.length], [before, 1]);
    const bad: readonly (readonly [csv: string, code: string])[] = [
      ['', 'invalid_csv'],
      ['id,name', 'invalid_csv'],
      ['id,name,parent,color\n', 'invalid_csv'],
      ['id,name,parent\n1,a', 'invalid_csv'],
      ['id,name,parent\n1,a,0\n1,b,0', 'invalid_csv'],
      ['id,name,parent\n1,"a,0', 'invalid_csv'],
      ['id,name,parent\n1,a,2\n2,b,1', 'folder_cycle'],
    ];
    for (const [csv, code] of bad) {
      const answer = await post(`${at}/import-csv`, form('file', `${csv}\n`), multipart);
      assert.deepEqual([answer.status, answer.body.code, answer.body.success], [400, code, false], csv);
    }
  });

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
    const { get, post, tree } = treesOf(site);
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

describe('The name of a folder', () => {
  test('is cleaned by one rule', () => {
    const cases: readonly (readonly [raw: string, name: string])[] = [
      ['  a \t\n b ', 'a b'],
      ['=1+1', '1+1'],
      ['--x', 'x'],
      ['@', ''],
      ['| = \t+ a', 'a'],
      ['a\u0000b\u202e', 'ab'],
      ['\u200f=x', 'x'],
      ['<script>x</script>y', 'y'],
      ['<b>=1</b>', '1'],
      ['e\u0301', '\u00e9'],
      ['\ud800a', '\ufffda'],
    ];
    assert.deepEqual(
      cases.filter(([raw, name]) => cleanFolderName(raw) !== name).map(([raw]) => [raw, cleanFolderName(raw)]),
      [],
    );
  });
});
