// The configuration of the suite, taken from one site to another over HTTP.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, type Client, type TestSite } from '#test/site.ts';
import { madeZip } from '#test/zips.ts';

const exportsPath = '/api/secsuite/v1/import-export/exports';
const rpc = '/api/secsuite/rpc/import';
const group = 'c0af93af-38d6-4a30-a5c3-d5a05ef093ab';
const secret = 'captcha-secret-of-the-first-site';

const inForm = (client: Client, name: string, bytes: Uint8Array | string, field = 'file') => {
  const head = `--x\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n--x--\r\n')]);
  return client.post(`${rpc}/validate`, body, { 'Content-Type': 'multipart/form-data; boundary=x' });
};

eachEngine('Import and export', (engine) => {
  let first: TestSite;
  let second: TestSite;
  let from: Client;
  let to: Client;
  // biome-ignore lint/suspicious/noExplicitAny: a document as it was answered
  let exported: any;

  before(async () => {
    first = await aSite(engine, { deployment: 'a' });
    second = await aSite(engine, { deployment: 'a' });
    from = first.as('administrator');
    to = second.as('administrator');
    const ada = await first.user({ login: 'ada', email: 'ada@example.test', roles: ['editor'] });
    const kim = await first.user({ login: 'kim', email: 'kim@example.test', roles: ['editor'] });
    for (let count = 0; count < 3; count += 1)
      await second.user({ login: `other${count}`, email: `other${count}@example.test` });
    await second.user({ login: 'lovelace', email: 'ada@example.test', roles: ['author'] });
    const made = await from.post('/api/secsuite/v1/user-groups', {
      id: group,
      label: 'Desk',
      users: [ada.id, kim.id],
      roles: ['editor', 'administrator'],
    });
    assert.equal(made.status, 201);
    const board = { label: 'Board', preset: 'default', sharing: [{ type: 'role', roles: ['editor'] }] };
    assert.equal((await from.post('/api/secsuite/v1/dashboards', board)).status, 201);
    const settings = { manage_group: [group], lockout_period: 33 };
    assert.equal((await from.patch('/api/secsuite/v1/settings/global', settings)).status, 200);
    const keys = { site_key: 'public', secret_key: secret };
    assert.equal((await from.patch('/api/secsuite/v1/settings/recaptcha', keys)).status, 200);
    const backups = `${first.config.data}/elsewhere`;
    assert.equal((await from.patch('/api/secsuite/v1/settings/backup', { location: backups })).status, 200);
    const off = await from.put('/api/secsuite/v1/modules/firewall', { status: { selected: 'inactive' } });
    assert.equal(off.status, 200);
    for (const host of ['192.0.2.30', '198.51.100.0/24'])
      assert.equal((await from.post('/api/secsuite/v1/bans/database', { host, comment: host })).status, 201);
  });

  test('an export is kept, listed, shown and deleted, and holds no secret', async () => {
    const { status, body, headers, text } = await from.post(exportsPath, { title: 'Monday', sources: true });
    assert.equal(status, 201);
    exported = { id: body.id, metadata: body.metadata, sources: body.sources };
    assert.ok(headers.get('location')?.endsWith(`/import-export/exports/${body.id}`));
    assert.ok(!text.includes(secret) && !text.includes('********'));
    assert.deepEqual(Object.keys(body.sources).slice(0, 2), ['modules', 'user-groups']);
    assert.deepEqual(
      body.sources['user-groups'][0].users.map(({ email }: { email: string }) => email),
      ['ada@example.test', 'kim@example.test'],
    );
    const listed = await from.get(exportsPath);
    assert.deepEqual(
      listed.body.map(({ id }: { id: string }) => id),
      [body.id],
    );
    const embedded = await from.get(`${exportsPath}/${body.id}?context=embed`);
    assert.ok(!('sources' in embedded.body));
    const again = await from.post(exportsPath, { title: 'Tuesday', sources: ['modules', 'nothing'] });
    assert.deepEqual(JSON.parse(again.headers.get('x-messages-warning')!), ['The source "nothing" does not exist.']);
    assert.equal((await from.delete(`${exportsPath}/${again.body.id}`)).status, 204);
    assert.equal((await from.get(`${exportsPath}/${again.body.id}`)).status, 404);
    const passing = await from.post(exportsPath, {});
    assert.deepEqual([passing.status, passing.headers.get('location')], [201, null]);
    assert.equal((await from.get(exportsPath)).body.length, 1);
  });

  test('it is valid as JSON, as a file and in a zip file, and shown with the users of the other site', async () => {
    const text = JSON.stringify(exported);
    assert.deepEqual((await to.post(`${rpc}/validate`, exported)).body, exported);
    assert.deepEqual((await inForm(to, 'export.json', text)).body, exported);
    const zipped = madeZip([
      { name: 'export.json', content: text },
      { name: 'read-me.txt', content: '-' },
    ]);
    assert.deepEqual((await inForm(to, 'export.zip', zipped)).body, exported);
    const { body } = await to.post(`${rpc}/transform`, { export: exported });
    const [{ users }] = body.sources['user-groups'];
    assert.deepEqual(
      users.map(({ email, name }: Record<string, string>) => [email, name]),
      [['ada@example.test', 'lovelace']],
    );
    assert.equal(body.sources.settings.backup.location, `${second.config.data}/elsewhere`);
    const mapped = await to.post(`${rpc}/transform`, {
      export: exported,
      user_map: { [exported.sources['user-groups'][0].users[1].id]: users[0].id },
      role_map: { editor: 'author' },
    });
    const [desk] = mapped.body.sources['user-groups'];
    assert.deepEqual([desk.users.length, desk.users[0].id], [1, users[0].id]);
    assert.deepEqual(
      desk.roles.map(({ slug }: { slug: string }) => slug),
      ['author'],
    );
    const none = await to.post(`${rpc}/transform`, { export: exported, user_map: false, role_map: false });
    assert.deepEqual([none.body.sources['user-groups'][0].users, none.body.sources['user-groups'][0].roles], [[], []]);
  });

  test('imported on an empty site it makes the same configuration, and keeps the secrets of that site with their keys', async () => {
    const own = { site_key: 'other', secret_key: 'captcha-secret-of-the-second-site' };
    await to.patch('/api/secsuite/v1/settings/recaptcha', own);
    const { status, headers } = await to.post(`${rpc}/run`, { export: exported });
    assert.deepEqual([status, headers.get('x-messages-warning')], [204, null]);
    const there = (await to.post(exportsPath, {})).body;
    const expected = (await to.post(`${rpc}/transform`, { export: exported })).body;
    expected.sources.settings.recaptcha.site_key = own.site_key;
    assert.deepEqual(there.sources, expected.sources);
    assert.equal((await to.get('/api/secsuite/v1/dashboards')).body[0].label.rendered, 'Board');
    const bans = await to.get('/api/secsuite/v1/bans');
    assert.deepEqual(
      bans.body.map(({ label }: { label: string }) => label),
      ['198.51.100.0/24', '192.0.2.30'],
    );
    const captcha = await to.get('/api/secsuite/v1/settings/recaptcha');
    assert.deepEqual([captcha.body.site_key, captcha.body.secret_key], ['other', '********']);
    const repeated = await to.post(`${rpc}/run`, { export: exported });
    assert.deepEqual(JSON.parse(repeated.headers.get('x-messages-warning')!), [
      '2 of the bans were left out: they exist already.',
    ]);
  });

  test('an importer who would no longer manage keeps the settings of who manages', async () => {
    const { sources } = exported;
    const [desk] = sources['user-groups'];
    const groups = [{ ...desk, roles: [{ slug: 'author', label: 'Author' }] }];
    const changed = { ...exported, sources: { ...sources, 'user-groups': groups } };
    const chosen = { export: changed, sources: ['user-groups'], role_map: true };
    await to.patch('/api/secsuite/v1/settings/global', { manage_group: [] });
    assert.equal((await to.post(`${rpc}/run`, chosen)).status, 204);
    const { status, headers } = await to.post(`${rpc}/run`, { ...chosen, sources: true });
    assert.equal(status, 204);
    assert.match(headers.get('x-messages-warning')!, /Settings of global: You would lose the right/);
    assert.equal((await to.get(exportsPath)).status, 200);
  });

  test('what is refused has its code and changes nothing', async () => {
    const before = (await to.post(exportsPath, {})).body.sources;
    const { metadata, sources } = exported;
    const text = JSON.stringify(exported);
    const zipOf = (...names: string[]) => madeZip(names.map((name) => ({ name, content: text })));
    const run = (sent: object) => to.post(`${rpc}/run`, { export: sent });
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const rows: [string, number, string, () => Promise<{ status: number; body: { code: string } }>][] = [
      ['no export', 400, 'rest_missing_callback_param', () => to.post(`${rpc}/run`, {})],
      ['an empty body', 400, 'rest_invalid_param', () => to.post(`${rpc}/validate`, {})],
      ['no file', 400, 'secsuite_import_missing_export', () => inForm(to, 'a.json', text, 'other')],
      ['an empty file', 400, 'secsuite.import-export.export-file-empty', () => inForm(to, 'a.json', '')],
      [
        'a truncated file',
        400,
        'secsuite.import-export.export-invalid-json',
        () => inForm(to, 'a.json', text.slice(0, -9)),
      ],
      [
        'a truncated zip',
        400,
        'secsuite.import-export.export-invalid-json',
        () => inForm(to, 'a.zip', zipOf('a.json').subarray(0, 99)),
      ],
      [
        'a zip without one',
        400,
        'secsuite.import-export.export-file-missing-files',
        () => inForm(to, 'a.zip', zipOf('a.txt')),
      ],
      [
        'a zip of two',
        400,
        'secsuite.import-export.export-file-multiple-files',
        () => inForm(to, 'a.zip', zipOf('a.json', 'b.json')),
      ],
      ['nested deep, a file', 400, 'secsuite.import-export.export-invalid-json', () => inForm(to, 'a.json', deep)],
      [
        'nested deep',
        400,
        'rest_invalid_json',
        () => to.post(`${rpc}/validate`, deep, { 'Content-Type': 'application/json' }),
      ],
      [
        'a newer build',
        400,
        'secsuite.import-export.newer-build',
        () => run({ ...exported, metadata: { ...metadata, build: 9_999_999 } }),
      ],
      ['no metadata', 400, 'rest_invalid_param', () => run({ id: exported.id, sources })],
      [
        'a source of another form',
        400,
        'rest_invalid_param',
        () => run({ ...exported, sources: { ...sources, modules: { firewall: 'on' } } }),
      ],
      [
        'a group without an id',
        400,
        'rest_invalid_param',
        () => run({ ...exported, sources: { 'user-groups': [{ label: 'x' }] } }),
      ],
      [
        'options that do not fit',
        400,
        'rest_invalid_param',
        () => from.post(exportsPath, { options: { settings: ['nothing'] } }),
      ],
      ['a missing export', 404, 'secsuite_export_not_found', () => to.get(`${exportsPath}/zzz`)],
      [
        'a missing source',
        404,
        'secsuite_import_export_source_not_found',
        () => to.get('/api/secsuite/v1/import-export/sources/zzz'),
      ],
      ['an editor', 403, 'rest_forbidden', () => second.as('subscriber').post(`${rpc}/run`, { export: exported })],
      ['nobody', 401, 'rest_forbidden', () => second.post(`${rpc}/run`, { export: exported })],
    ];
    const offenders: unknown[] = [];
    for (const [what, status, code, send] of rows) {
      const answer = await send();
      if (answer.status !== status || answer.body.code !== code) offenders.push([what, answer.status, answer.body]);
    }
    assert.deepEqual(offenders, []);
    const traps = JSON.stringify(exported).replace(
      '"sources":{',
      '"sources":{"__proto__":{"polluted":true},"constructor":{},',
    );
    const trapped = await to.post(`${rpc}/transform`, `{"export":${traps}}`, { 'Content-Type': 'application/json' });
    assert.deepEqual([trapped.status, trapped.body.sources.polluted], [200, undefined]);
    assert.deepEqual((await to.post(exportsPath, {})).body.sources, before);
  });
});
