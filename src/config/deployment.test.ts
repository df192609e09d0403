import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { bundledNamespaces, knownNames } from '../boot/known-names.ts';
import { BadSetting } from '../config.ts';
import { type Deployment, readDeployment } from './deployment.ts';
import { siteDefaults } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

const least = { namespaces: ['core/v2'], roles: { administrator: { label: 'Administrator', capabilities: ['read'] } } };

function read(content: unknown, extensions = {}): Deployment {
  const file = join(folder, 'site.json');
  const written = typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content);
  writeFileSync(file, written);
  const names = { ...knownNames, extensions: { ...knownNames.extensions, ...extensions } };
  return readDeployment(file, ['port', 'url', 'trust_proxy'], names, process.cwd());
}

describe('the shipped deployments', () => {
  const contract = (name: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, `../../test/spec/contract/deployment-${name}.json`), 'utf8'));
  const roleEnum = (name: string): string[] =>
    contract(name).routes['/secsuite/v1/user-groups'].endpoints[1].args.roles.items.enum;

  for (const name of ['a', 'b']) {
    test(`${name} serves the namespaces of its contract, in that order`, () => {
      const { namespaces, extensions } = readDeployment(name, [], knownNames, process.cwd());
      const resting = Object.keys(bundledNamespaces).filter((slug) => !extensions[slug]);
      const served = namespaces.filter(
        (namespace) => !resting.some((slug) => bundledNamespaces[slug]?.includes(namespace)),
      );
      assert.deepEqual(served, contract(name).namespaces);
    });

    test(`${name} has the roles of its contract`, () => {
      assert.deepEqual(Object.keys(readDeployment(name, [], knownNames, process.cwd()).roles), roleEnum(name));
    });

    test(`${name} spells its offset from UTC as its contract does`, () => {
      assert.equal(
        readDeployment(name, [], knownNames, process.cwd()).index.gmt_offset,
        contract(name).index_fields.gmt_offset,
      );
    });
  }

  test('a becomes b in its namespaces when its two resting extensions are switched on', () => {
    const [a, b] = [
      readDeployment('a', [], knownNames, process.cwd()),
      readDeployment('b', [], knownNames, process.cwd()),
    ];
    const differ = Object.keys(b.extensions).filter((slug) => a.extensions[slug] !== b.extensions[slug]);
    assert.deepEqual(differ, ['media-folders', 'regenerate-thumbnails']);
    assert.deepEqual(a.namespaces, b.namespaces);
  });

  test('an administrator has the capabilities of the recorded one', () => {
    const recorded = readFileSync(join(import.meta.dirname, '../../test/spec/recorded/users.json'), 'utf8');
    const { exchanges } = JSON.parse(recorded);
    const me = exchanges.find((one: { name: string }) => one.name === 'me edit').response.body;
    const expected = Object.keys(me.capabilities).filter((capability) => capability !== 'administrator');
    assert.deepEqual(
      [...readDeployment('a', [], knownNames, process.cwd()).roles.administrator!.capabilities].sort(),
      expected.sort(),
    );
  });
});

test('what a file leaves out has its default', () => {
  const { extensions, modules, first_groups, index, settings, server, name } = read(least);
  assert.deepEqual({ extensions, modules, server }, { extensions: {}, modules: {}, server: {} });
  assert.equal(first_groups, false);
  assert.equal(index.gmt_offset, 'string');
  assert.deepEqual(settings, siteDefaults);
  assert.equal(name, 'site');
});

test('a byte order mark before the file is let be', () => {
  assert.equal(read(`\ufeff${JSON.stringify(least)}`).name, 'site');
});

test('a language may stand alone, with its country or with its variant; an email address may be empty', () => {
  for (const language of ['', 'eo', 'en_GB', 'de_DE_formal', 'pt_PT_ao90']) {
    assert.equal(read({ ...least, settings: { language } }).settings.language, language);
  }
  for (const email of ['', 'office@hillside.example', 'büro@schule.example', 'root@localhost']) {
    assert.equal(read({ ...least, settings: { email } }).settings.email, email);
  }
});

test('numbers and lists under "server" are read as flags would be', () => {
  const { server } = read({ ...least, server: { port: 80, trust_proxy: ['10.0.0.1', '10.0.0.2'] } });
  assert.deepEqual(server, { port: '80', trust_proxy: '10.0.0.1,10.0.0.2' });
});

test('an extension from elsewhere may be named once it is known', () => {
  const file = { ...least, namespaces: ['hello/v1'], extensions: { hello: true } };
  assert.throws(() => read(file), BadSetting);
  assert.deepEqual(read(file, { hello: ['hello/v1'] }).namespaces, ['hello/v1']);
});

const role = (change: object) => ({
  ...least,
  roles: { ...least.roles, editor: { label: 'Editor', capabilities: [], ...change } },
});

const refused: readonly [string, unknown, RegExp][] = [
  ['no JSON', '{', /site\.json is not JSON: /],
  ['a list', [], /site\.json: the file must be an object\.$/],
  ['null', null, /the file must be an object/],
  [
    'an unknown member',
    { ...least, extension: {} },
    /the file names the member "extension", which does not exist. Did you mean extensions\?$/,
  ],
  ['no namespaces', { roles: least.roles }, /: namespaces must be a list of text values\.$/],
  ['a namespace that is a number', { ...least, namespaces: [1] }, /: namespaces must be a list of text values/],
  [
    'an unknown namespace',
    { ...least, namespaces: ['core/v3'] },
    /namespace "core\/v3", which does not exist\. Did you mean core\/v2\?$/,
  ],
  [
    'a namespace named twice',
    { ...least, namespaces: ['core/v2', 'core/v2'] },
    /: namespaces must name core\/v2 only once/,
  ],
  [
    'an unknown extension',
    { ...least, extensions: { gallery: true } },
    /: extensions names the extension "gallery", which does not exist/,
  ],
  [
    'an extension that is no extension but a property',
    { ...least, extensions: { constructor: true } },
    /names the extension "constructor"/,
  ],
  ['an extension half on', { ...least, extensions: { embeds: 'yes' } }, /: extensions\.embeds must be true or false/],
  ['a module half on', { ...least, modules: { ssl: 1 } }, /: modules\.ssl must be true or false/],
  ['groups half made', { ...least, first_groups: 'yes' }, /: first_groups must be true or false/],
  ['no roles', { namespaces: [] }, /: roles must be an object/],
  ['no administrator', { namespaces: [], roles: {} }, /: roles must have the role administrator/],
  [
    'capabilities that are one text',
    role({ capabilities: 'read' }),
    /: roles\.editor\.capabilities must be a list of text values\.$/,
  ],
  ['a capability that is none', role({ capabilities: ['do it'] }), /: roles\.editor\.capabilities names "do it"/],
  ['a role without a label', role({ label: undefined }), /: roles\.editor\.label must be text/],
  ['a role with more', role({ level: 3 }), /: roles\.editor names the member "level", which does not exist/],
  ['another offset', { ...least, index: { gmt_offset: 'text' } }, /: index\.gmt_offset must be "number" or "string"/],
  [
    'an unknown setting',
    { ...least, settings: { titel: 'x' } },
    /: settings names the setting "titel", which does not exist. Did you mean title\?$/,
  ],
  ['a title of two lines', { ...least, settings: { title: 'a\nb' } }, /: settings\.title must be one line of text/],
  [
    'a zone that is no place',
    { ...least, settings: { timezone: 'Mars/Base' } },
    /: settings\.timezone must be a time zone/,
  ],
  [
    'a zone that is an offset',
    { ...least, settings: { timezone: '+02:00' } },
    /: settings\.timezone must be a time zone/,
  ],
  [
    'an offset off the earth',
    { ...least, settings: { gmt_offset: 20 } },
    /: settings\.gmt_offset must be a number of hours/,
  ],
  [
    'a day that is none',
    { ...least, settings: { start_of_week: 7 } },
    /: settings\.start_of_week must be a whole number from 0 to 6/,
  ],
  [
    'a module that is none',
    { ...least, modules: { 'brute-farce': true } },
    /: modules names the module "brute-farce", which does not exist. Did you mean brute-force\?$/,
  ],
  [
    'a language by its name',
    { ...least, settings: { language: 'English' } },
    /: settings\.language must be a language/,
  ],
  ['a language as HTML has it', { ...least, settings: { language: 'en-GB' } }, /must be a language such as en_GB/],
  [
    'an email address without a host',
    { ...least, settings: { email: 'office' } },
    /: settings\.email must be an email addr/,
  ],
  [
    'a zone and an offset',
    { ...least, settings: { timezone: 'Europe/Dublin', gmt_offset: 0 } },
    /: settings has both timezone and gmt_offset/,
  ],
  ['a front of its own', { ...least, settings: { show_on_front: 'x' } }, /must be "posts" or "page"/],
  [
    'a setting that does not belong in a file',
    { ...least, server: { secret: 'x' } },
    /: server names the setting "secret", which does not exist/,
  ],
  ['a server setting that is an object', { ...least, server: { port: {} } }, /: server\.port must be text/],
];

describe('a file with a mistake is refused in one sentence with the place', () => {
  test('whatever the mistake', () =>
    checkRows(refused, ([, content, sentence]) => {
      assert.throws(
        () => read(content),
        (error: Error) => {
          assert.ok(error instanceof BadSetting, String(error));
          assert.match(error.message, sentence);
          return true;
        },
      );
    }));

  test('a file in another encoding', () => {
    assert.throws(() => read(Buffer.from('{"title":"Caf\xe9"}', 'latin1')), {
      name: 'BadSetting',
      message: /site\.json is not UTF-8 text; save it as UTF-8\.$/,
    });
  });

  test('a folder', () => {
    assert.throws(() => readDeployment(folder, [], knownNames, process.cwd()), {
      message: /^The deployment ".*" cannot be read: it is a folder\./,
    });
  });

  test('a file that is not there', () => {
    assert.throws(
      () => readDeployment('c', [], knownNames, process.cwd()),
      /The deployment "c" cannot be read: the file does not exist\./,
    );
  });
});
