// The rules that follow from the settings, and the files they are written to.

import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import type { Entry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { hello } from '../../../../../examples/hello/extension.ts';
import { badBots } from '../../bans/bad-bots.ts';
import { isWithin, read, replace } from '../../disk/texts.ts';
import type { Settings } from '../../settings/types.ts';
import { configRulesRoutes } from './part.ts';
import type { Dialect } from './ruled.ts';
import { type ConfigRules, createConfigRules } from './rules.ts';

const outside = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(outside, { recursive: true }));

const quiet = {
  'ban-users': { default: false, enable_ban_lists: true, server_config_limit: 2, agent_list: [] },
  'system-tweaks': {
    protect_files: false,
    directory_browsing: false,
    uploads_php: false,
    plugins_php: false,
    themes_php: false,
  },
  'core-tweaks': { file_editor: false, disable_xmlrpc: 'enable' },
};

type Said = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Place {
  readonly said?: Said;
  readonly bans?: readonly string[];
  readonly running?: readonly string[];
  readonly dialect?: Dialect;
  readonly file?: string;
}

function aPlace({ said = {}, bans = [], running = ['ban-users'], dialect = 'nginx', file }: Place) {
  const data = mkdtempSync(join(outside, 'data-'));
  const nginxFile = file ?? join(data, 'nginx.conf');
  const values: Said = { ...quiet, global: { nginx_file: nginxFile }, ...said };
  const rules = createConfigRules({
    settings: { of: (module: string) => ({ ...values[module] }) } as unknown as Pick<Settings, 'of'>,
    switches: { isRunning: (module) => running.includes(module) },
    newestBans: async (most) => bans.slice(0, most),
    isAuthorised: (host) => host === '192.0.2.1',
    files: { read, replace, isWithin, isServed: async (path) => path.includes('/uploads/') },
    dialect,
    paths: { base: '', uploads: 'wp-content/uploads', plugins: 'wp-content/plugins', themes: 'wp-content/themes' },
    data,
    appFile: join(data, 'app.env.rules'),
  });
  return { rules, data, nginxFile };
}

const server = async (place: Place): Promise<string> => (await aPlace(place).rules.get()).server;
const changing = (module: keyof typeof quiet, values: object): Said => ({ [module]: { ...quiet[module], ...values } });

describe('The rules', () => {
  test('are no text at all where nothing is set', async () => {
    assert.deepEqual(await aPlace({}).rules.get(), { server: '', wp: '' });
  });

  test('name the newest bans first, without those who are authorised', async () => {
    const bans = ['2001:db8::1', '192.0.2.1', '198.51.100.7'];
    assert.deepEqual((await server({ bans })).match(/^deny .*$/gm), ['deny 2001:db8::1;']);
    const said = changing('ban-users', { server_config_limit: 9 });
    assert.deepEqual((await server({ bans, said })).match(/^deny .*$/gm), ['deny 2001:db8::1;', 'deny 198.51.100.7;']);
    assert.match(
      await server({ bans, said, dialect: 'apache' }),
      /Require not ip 2001:db8::1\n.*not ip 198\.51\.100\.7\n/,
    );
  });

  test('name no bans and no agents while the lists are off, or the module does nothing', async () => {
    const [bans, lists] = [['198.51.100.7'], { agent_list: ['Evil'], default: true }];
    assert.match(await server({ bans, said: changing('ban-users', lists) }), /Evil/);
    const off = await server({ bans, said: changing('ban-users', { ...lists, enable_ban_lists: false }) });
    assert.doesNotMatch(off, /deny|Evil/);
    assert.equal(off.match(/\$http_user_agent/g)?.length, badBots.length);
    assert.equal(await server({ bans, said: changing('ban-users', lists), running: [] }), '');
  });

  test('leave out what is no address, and agents that would be everybody', async () => {
    const said = changing('ban-users', { server_config_limit: 9, agent_list: [' ', 'x'.repeat(5000), 'Fine'] });
    const text = await server({ bans: ['all', '1.2.3.4; } x {', '0.0.0.0/0', '1.2.3.9/24', '1.2.3.*'], said });
    assert.deepEqual(text.match(/^deny .*$/gm), ['deny 0.0.0.0/0;', 'deny 1.2.3.0/24;']);
    assert.deepEqual(text.match(/^if .*$/gm), ['if ($http_user_agent ~* "^Fine") { return 403; }']);
  });

  test('say what each setting means in either dialect', () =>
    checkRows(
      [
        ['protect_files', 'location ~ /\\.(?!well-known) { deny all; }', '<FilesMatch '],
        ['directory_browsing', 'autoindex off;', 'Options -Indexes'],
        ['uploads_php', 'location ~* "^/wp-content/uploads/', 'RewriteRule "^/?wp-content/uploads/'],
        ['plugins_php', 'location ~* "^/wp-content/plugins/', 'RewriteRule "^/?wp-content/plugins/'],
        ['themes_php', 'location ~* "^/wp-content/themes/', 'RewriteRule "^/?wp-content/themes/'],
      ] as const,
      async ([setting, nginx, apache]) => {
        const said = changing('system-tweaks', { [setting]: true });
        for (const [dialect, line] of [['nginx', nginx] as const, ['apache', apache] as const]) {
          const text = await server({ said, dialect });
          assert.ok(text.includes(`\n# system-tweaks.${setting}\n`), text);
          assert.ok(text.includes(line), text);
        }
      },
    ));

  test('close the legacy interface only where it is off altogether', async () => {
    const with_ = (disable_xmlrpc: string) => server({ said: changing('core-tweaks', { disable_xmlrpc }) });
    assert.ok((await with_('disable')).includes('\nlocation = /xmlrpc { deny all; }\n'));
    assert.equal(await with_('disable_pingbacks'), '');
  });

  test('tell the program that the editor is off, and of HTTPS while that module is on', async () => {
    const said = changing('core-tweaks', { file_editor: true });
    assert.match((await aPlace({ said }).rules.get()).wp, /^FILE_EDITOR_DISABLED=true$/m);
    const { wp } = await aPlace({ said, running: ['ssl'] }).rules.get();
    assert.match(wp, /^# BEGIN .*\n# Format: 2\n[\s\S]*^FORCE_HTTPS=true$[\s\S]*^# END .*\n$/m);
  });
});

describe('The files of the rules', () => {
  const said = {
    ...changing('system-tweaks', { directory_browsing: true }),
    ...changing('core-tweaks', { file_editor: true }),
  };

  test('are written once, and again only when something changed', async () => {
    const { rules, nginxFile, data } = aPlace({ said });
    assert.deepEqual([await rules.writeServer(), await rules.writeApp()], [true, true]);
    assert.deepEqual([await rules.writeServer(), await rules.writeApp()], [false, false]);
    assert.equal(readFileSync(nginxFile, 'utf8'), (await rules.get()).server);
    assert.equal(readFileSync(join(data, 'app.env.rules'), 'utf8'), (await rules.get()).wp);
    assert.deepEqual(readdirSync(data).sort(), ['app.env.rules', 'nginx.conf']);
    assert.equal(statSync(nginxFile).mode & 0o777, 0o644);
  });

  test('do not come into being for nothing', async () => {
    const { rules, nginxFile } = aPlace({});
    assert.equal(await rules.writeServer(), false);
    assert.equal(existsSync(nginxFile), false);
  });

  test('keep what others wrote, and the rights they have', async () => {
    const { rules, nginxFile } = aPlace({ said });
    writeFileSync(nginxFile, 'gzip on;\n');
    chmodSync(nginxFile, 0o640);
    assert.equal(await rules.writeServer(), true);
    assert.equal(readFileSync(nginxFile, 'utf8'), `gzip on;\n${(await rules.get()).server}`);
    assert.equal(statSync(nginxFile).mode & 0o777, 0o640);
  });

  const refused = async (rules: ConfigRules) =>
    assert.rejects(
      rules.writeServer(),
      (error) => error instanceof Problem && error.code === 'secsuite.file-writing.not-ours' && error.status === 400,
    );

  test('outside the data folder are new, or hold a block of the suite already', async () => {
    const file = join(outside, 'site.conf');
    const { rules } = aPlace({ said, file });
    writeFileSync(file, 'others need this;\n');
    await refused(rules);
    assert.equal(readFileSync(file, 'utf8'), 'others need this;\n');
    rmSync(file);
    assert.equal(await rules.writeServer(), true);
    assert.equal(await aPlace({ file }).rules.writeServer(), true, 'and it is emptied again');
    assert.equal(readFileSync(file, 'utf8'), '');
    assert.equal(await rules.writeServer(), true, 'and filled again');
  });

  test('are never the secret or the database of the site, nor anything else that is not called so', async () => {
    for (const name of ['secret', 'gatehouse.db', '../gatehouse.db', 'x.conf/../secret']) {
      const { data } = aPlace({});
      const file = `${data}/${name}`;
      await refused(aPlace({ said, file }).rules);
      assert.deepEqual(readdirSync(data), []);
    }
    await refused(aPlace({ said, file: 'nginx.conf' }).rules);
  });

  test('that cannot be written are said to be away, and nothing is left beside them', async () => {
    const file = join(outside, 'no-folder', 'site.conf');
    await assert.rejects(
      aPlace({ said, file }).rules.writeServer(),
      /site\.conf cannot be used \(it or its folder does not exist\)/,
    );
    const folder = mkdtempSync(join(outside, 'folder-'));
    await assert.rejects(aPlace({ said, file: `${folder}/../${folder.split('/').at(-1)}` }).rules.writeServer());
    assert.deepEqual(readdirSync(folder), []);
  });

  test('written at the same time are written one after the other', async () => {
    const { rules } = aPlace({ said });
    const changed = await Promise.all([
      rules.writeServer(),
      rules.writeServer(),
      rules.writeApp(),
      rules.writeServer(),
    ]);
    assert.deepEqual(changed, [true, false, true, false]);
  });
});

eachEngine('The rules over the interface', (engine) => {
  test('are told to whoever manages the suite', async () => {
    const { rules } = aPlace({ said: changing('system-tweaks', { directory_browsing: true }) });
    const part: Entry<{ configRules: ConfigRules }> = (tools) => ({
      name: 'part-of-the-suite',
      nouns: () => ({ configRules: rules }),
      routes: { 'secsuite/rpc': configRulesRoutes(tools, 'manage_options') },
    });
    const site = await aSite(engine, { extensions: [hello, part] });
    const path = '/api/secsuite/rpc/file-writing/get-config-rules';
    const { status, body } = await site.as('administrator').get(path);
    assert.deepEqual([status, body], [200, await rules.get()]);
    assert.deepEqual([(await site.as('subscriber').get(path)).status, (await site.get(path)).status], [403, 401]);
  });
});
