import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compile } from '#kernel/args/validate.ts';
import { checkRows } from '#test/rows.ts';
import { type Condition, kinds, type Module, type SettingsCard } from './module.ts';
import { modulesOn } from './parts.ts';
import { moduleOrder } from './settings/module-order.ts';

const modules = modulesOn({ data: '/srv/gatehouse' });
const cards = modules.flatMap(({ id, settings }) => (settings ? [[id, settings] as const] : []));
/** Modules of which clients know the settings. What is Gatehouse's own is tried where it is declared. */
const established = cards.filter(([id]) => moduleOrder.includes(id));
const wholes = cards.map(([id, card]) => [id, card, wholeOf(id, card)] as const);

/** The settings of what is added to a module count as that module's. */
function wholeOf(id: string, { schema }: SettingsCard) {
  const added = modules.filter((module) => module.extends === id).map((module) => module.settings?.schema.properties);
  return Object.assign({}, schema.properties, ...added) as SettingsCard['schema']['properties'];
}

const standards = (properties: SettingsCard['schema']['properties']) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schema.default]));

/** Whether there is such a setting, or a member of one. */
function leads(properties: SettingsCard['schema']['properties'], path: string): boolean {
  const [head = '', ...rest] = path.split('.');
  const found = properties[head];
  if (found === undefined || rest.length === 0) return found !== undefined;
  return leads(found.properties ?? {}, rest.join('.'));
}

const conditionsOf = ({ settings, userGroups }: Module): readonly [string, Condition][] => [
  ...Object.entries(settings?.conditional ?? {}),
  ...Object.entries(userGroups ?? {}).flatMap(([name, { conditional }]): [string, Condition][] =>
    conditional ? [[name, conditional]] : [],
  ),
];

describe('The modules', () => {
  it('are each of a kind that there is', () => {
    assert.ok(modules.every(({ type }) => kinds.includes(type)));
  });

  it('are added to modules that there are', () => {
    const added = modules.filter((module) => module.extends !== undefined);
    assert.deepEqual(
      added.filter(({ id }) => moduleOrder.includes(id)).map((module) => [module.id, module.extends]),
      [['pro-two-factor', 'two-factor']],
    );
    for (const { extends: other } of added) assert.ok(modules.some(({ id }) => id === other));
  });

  it('have a name, and those that people meet say what they are for', () => {
    const silent = modules.filter(({ title }) => title === '').map(({ id }) => id);
    assert.deepEqual(silent, []);
    const met = modules.filter(({ onboard, userGroups, type }) => onboard || userGroups || type === 'lockout');
    assert.deepEqual(
      met.filter(({ description }) => description === '').map(({ id }) => id),
      [],
    );
  });

  it('lock out for reasons that each have one name', () => {
    const types = modules.flatMap(({ lockouts = [] }) => lockouts.map(({ type }) => type));
    assert.ok(types.length > 0);
    assert.deepEqual(types, [...new Set(types)]);
  });

  it('have tools that each have one name', () => {
    const slugs = modules.flatMap(({ tools = {} }) => Object.keys(tools));
    assert.ok(slugs.length > 0);
    assert.deepEqual(slugs, [...new Set(slugs)]);
  });

  it('name modules that there are in their conditions', () => {
    const named = modules.flatMap((module) => conditionsOf(module).flatMap(([, is]) => is['active-modules'] ?? []));
    assert.ok(named.length > 0);
    assert.ok(named.every((id) => modules.some((module) => module.id === id)));
  });
});

describe('The settings of the modules', () => {
  it('all have a default that fits', () =>
    checkRows(cards, ([id, { schema }]) => {
      for (const [name, setting] of Object.entries(schema.properties)) {
        assert.notEqual(setting.default, undefined, name);
        const { check, coerce } = compile(setting);
        assert.equal(check(setting.default, name), undefined);
        assert.deepEqual(coerce(setting.default), setting.default, name);
      }
      assert.equal(compile(schema).check(standards(schema.properties), id), undefined);
    }));

  it('have a title and say what they mean, where a form shows them', () => {
    const bare = cards.flatMap(([id, { schema, readonly = [] }]) =>
      Object.entries(schema.properties)
        .filter(([name, { title, description }]) => !readonly.includes(name) && !(title && description))
        .map(([name]) => `${id}.${name}`),
    );
    assert.deepEqual(bare, ['core.last_seen_lockout']);
  });

  it('are there when something is said of them', () => {
    for (const [id, card, properties] of wholes) {
      const { conditional = {}, readonly = [], ours = [], lasting = [], secret = [], deprecated = [] } = card;
      const { onboard = [], import: moved = [] } = card;
      const said = [...Object.keys(conditional), ...readonly, ...ours, ...lasting, ...secret, ...deprecated];
      const lost = [...said, ...onboard, ...moved].filter((path) => !leads(properties, path));
      assert.deepEqual(lost, [], id);
    }
  });

  it('are there when a condition asks for them', () => {
    for (const [id, , properties] of wholes) {
      const module = modules.find((one) => one.id === id)!;
      for (const [name, condition] of conditionsOf(module)) {
        const asked = [condition.settings, ...(condition.settings?.oneOf ?? [])].flatMap((schema) =>
          Object.keys(schema?.properties ?? {}),
        );
        const base = modules.find((one) => one.id === module.extends)?.settings?.schema.properties;
        const all = { ...base, ...properties };
        const paths = [...asked, ...(condition['user-groups'] ?? [])];
        assert.deepEqual(
          paths.filter((path) => !leads(all, path)),
          [],
          `${id}.${name}`,
        );
      }
    }
  });

  it('have a place in the sections of their form, if in any then all that it names', () => {
    for (const [id, { schema }, properties] of wholes) {
      const { 'ui:sections': sections = [], ...hints } = (schema.uiSchema ?? {}) as Record<string, unknown>;
      const fields = (sections as { fields: string[] }[]).flatMap((section) => section.fields);
      assert.deepEqual(
        [...fields, ...Object.keys(hints)].filter((name) => !leads(properties, name)),
        [],
        id,
      );
      assert.equal(new Set(fields).size, fields.length, id);
    }
  });

  it('list groups where the module says so', () => {
    for (const { id, userGroups = {}, settings } of modules) {
      const lists = Object.entries(settings?.schema.properties ?? {}).filter(([name]) => name.endsWith('group'));
      assert.deepEqual(lists.map(([name]) => name).sort(), Object.keys(userGroups).sort(), id);
      for (const [, schema] of lists) {
        assert.equal(compile(schema).check(['everybody-else', '1b2cd1f6-3c0e-4d8e-9b0e-0a1b2c3d4e5f'], 'p'), undefined);
        assert.equal(compile(schema).check(['nobody'], 'p')?.code, 'rest_no_matching_schema');
      }
    }
  });

  it('are kept by the suite alone where nobody else can know them', () => {
    const ours = established.flatMap(([id, card]) => (card.ours ?? []).map((name) => `${id}.${name}`));
    assert.deepEqual(ours.sort(), [
      'backup.last_run',
      'core-salts.last_generated',
      'core.last_seen_lockout',
      'file-change.last_scan',
      'global.activation_timestamp',
      'global.build',
      'global.cron_status',
      'global.cron_test_time',
      'global.feature_flags',
      'global.initial_build',
      'global.log_info',
      'global.server_ips',
      'global.use_cron',
      'network-brute-force.api_secret',
      'notification-center.data',
      'notification-center.last_mail_error',
      'notification-center.last_sent',
      'notification-center.resend_at',
      'recaptcha.last_error',
      'recaptcha.validated',
      'security-check-pro.ip_header',
      'security-check-pro.key_salt',
      'security-check-pro.last_scan_timestamp',
      'security-check-pro.remote_ip_index',
      'security-check-pro.remote_ips',
      'security-check-pro.remote_ips_timestamp',
      'security-check-pro.ssl_supported',
      'site-scanner.muted_issues',
      'site-scanner.registered_sites',
      'site-scanner.vulnerabilities',
    ]);
  });

  it('are sealed where they would let somebody in', () => {
    const secret = established.flatMap(([id, card]) => (card.secret ?? []).map((name) => `${id}.${name}`));
    assert.deepEqual(secret, [
      'network-brute-force.api_secret',
      'security-check-pro.key_salt',
      'recaptcha.secret_key',
      'recaptcha.cf_secret_key',
      'recaptcha.hc_secret_key',
      'geolocation.maxmind_lite.key',
      'geolocation.maxmind_api.key',
      'geolocation.mapbox_access_token',
      'geolocation.mapquest_api_key',
    ]);
  });

  it('name files of the data folder of this site', () => {
    const at = (data: string) => {
      const of = (id: string, name: string) =>
        modulesOn({ data }).find((module) => module.id === id)?.settings?.schema.properties[name]?.default;
      return [of('global', 'nginx_file'), of('global', 'log_location'), of('backup', 'location')];
    };
    assert.deepEqual(at('/a'), ['/a/nginx.conf', '/a/logs', '/a/backups']);
    assert.deepEqual(at('/b'), ['/b/nginx.conf', '/b/logs', '/b/backups']);
  });
});
