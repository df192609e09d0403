// Media folders from the outside: one library sorted into folders, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { at, form, multipart, treesOf } from '#test/media-folders.ts';
import { picture } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';
import { media, send } from '#test/uploads.ts';

eachEngine('Media folders', (engine) => {
  test('sort a library: made, dragged, colored, counted, deleted, and back from a CSV file', async () => {
    const site = await aSite(engine);
    const { tree, make, drag, get, post } = treesOf(site.as('author'));
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
      /^<ul class="[^"]*columns-3 is-cropped"[^>]*><li><figure><a href="[^"]*4\.jpg"><img [^>]*wp-image-\d+ size-full[^>]* style="background-color:#[\da-f]{6}"/,
    );
    assert.doesNotMatch(html, /onload/);
    const text = `<!-- wp:media-folders/gallery {"selectedFolder":[${a}]} /-->`;
    const page = await site.as('editor').post('/api/core/v2/posts', { title: 'p', status: 'publish', content: text });
    assert.match((await site.get(`/api/core/v2/posts/${page.body.id}`)).body.content.rendered, /There are no images/);

    const admin = site.as('administrator');
    const csv = (await admin.get(`${at}/export-csv?format=csv`)).text;
    assert.match(csv, /^\ufeffid,name,parent,type,ord,created_by,attachment_ids\r\n/);
    const before = await tree();
    const deleted: unknown[] = [];
    site.app.services.events.on('media_folders.deleted', (event) => void deleted.push(event));
    const wiped = await admin.post(`${at}/mf-wipe-clear-all-data`);
    assert.deepEqual([wiped.body.success, await tree(), (await listed(0)).length], [true, '', 4]);
    const { id: by } = (await admin.get('/api/core/v2/users/me')).body;
    assert.deepEqual(deleted, [{ by, folders: 6, files: 3, backup: 1 }]);
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
    const { tree, make, post, get } = treesOf(site.as('author'));
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

  test('take SVG drawings where that is on, without what could run', async () => {
    const site = await aSite(engine);
    const drawing = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>alert(1)</script><path d="M0 0h9"/></svg>',
    );
    const upload = () => send(site, 'author', 'logo.svg', drawing);
    assert.deepEqual([(await upload()).status, (await upload()).body.code], [400, 'rest_upload_sideload_error']);
    await site.as('administrator').post(`${at}/set-settings`, { SVG_SUPPORT: '1' });
    const { status, body } = await upload();
    const { width, height } = body.media_details;
    assert.deepEqual([status, body.mime_type, width, height], [201, 'image/svg+xml', 40, 20]);
    const file = await site.get(new URL(body.source_url).pathname);
    assert.match(file.text, /^<svg [^>]*><path d="M0 0h9"><\/path><\/svg>$/);
    assert.match(String(file.headers.get('content-disposition')), /^attachment/);
  });
});
