import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compile } from '#kernel/args/validate.ts';
import { checkRows } from '#test/rows.ts';
import { modulesOn } from './parts.ts';

const modules = modulesOn({ data: '/srv/gatehouse' });

describe('Values that settings take and refuse', () => {
  const cases: readonly (readonly [module: string, setting: string, value: unknown, code: string | undefined])[] = [
    ['hide-backend', 'slug', 'way-in', undefined],
    ['hide-backend', 'slug', 'login', 'rest_invalid_pattern'],
    ['hide-backend', 'slug', 'wp-admin', 'rest_invalid_pattern'],
    ['hide-backend', 'slug', 'api', 'rest_invalid_pattern'],
    ['hide-backend', 'slug', 'apiary', undefined],
    ['hide-backend', 'slug', 'a/b', 'rest_invalid_pattern'],
    ['hide-backend', 'slug', '', 'rest_too_short'],
    ['hide-backend', 'slug', 'x'.repeat(65), 'rest_too_long'],
    ['hide-backend', 'post_logout_slug', '', undefined],
    ['global', 'log_rotation', -1, 'rest_out_of_bounds'],
    ['global', 'log_type', 'zzz', 'rest_not_in_enum'],
    ['global', 'proxy', 'security-check', undefined],
    ['global', 'feature_flags', { one: { enabled: true, time: 1, rate: 5 } }, undefined],
    ['global', 'feature_flags', { 'a b': {} }, 'rest_additional_properties_forbidden'],
    ['brute-force', 'check_period', 0, 'rest_out_of_bounds'],
    ['firewall', 'check_period', 0, undefined],
    ...[
      ...[['global', 'lockout_period', 720_000_000] as const, ['brute-force', 'check_period', 720_000_000] as const],
      ...[['firewall', 'check_period', 720_000_000] as const, ['recaptcha', 'check_period', 720_000_000] as const],
      ...[['global', 'blacklist_period', 500_000] as const, ['global', 'log_rotation', 500_000] as const],
      ...[['global', 'file_log_rotation', 500_000] as const, ['backup', 'interval', 500_000] as const],
    ].flatMap(([id, name, most]) => [
      [id, name, most, undefined] as const,
      [id, name, most + 1, 'rest_out_of_bounds'] as const,
    ]),
    ['password-requirements', 'requirement_settings', { age: { expire_max: 1e300 } }, 'rest_out_of_bounds'],
    ['ban-users', 'server_config_limit', 10_000, 'rest_out_of_bounds'],
    ['ban-users', 'agent_list', ['a', 'a'], 'rest_duplicate_items'],
    ['ban-users', 'agent_list', [''], 'rest_too_short'],
    ['network-brute-force', 'email', null, undefined],
    ['network-brute-force', 'email', 'nobody', 'rest_invalid_email'],
    ['notification-center', 'from_email', '', undefined],
    ['notification-center', 'from_email', 'site@example.org', undefined],
    ['notification-center', 'from_email', 'site', 'rest_no_matching_schema'],
    ['notification-center', 'default_recipients', { user_list: [] }, 'rest_too_few_items'],
    ['notification-center', 'default_recipients', { user_list: [1, 'role:editor'] }, undefined],
    ['notification-center', 'notifications', { backup: { email_list: 'a@example.org\nb@example.org' } }, undefined],
    ['notification-center', 'notifications', { backup: { email_list: ['a@example.org'] } }, undefined],
    ['notification-center', 'notifications', { digest: { subject: null, message: 'x' } }, undefined],
    ['two-factor', 'custom_available_methods', [], 'rest_too_few_items'],
    ['two-factor', 'custom_available_methods', ['Two_Factor_Email'], undefined],
    ['core-tweaks', 'rest_api', 'open', 'rest_no_matching_schema'],
    ['core-tweaks', 'rest_api', 'restrict-access', undefined],
    ['password-expiration', 'expire_force', true, undefined],
    ['password-expiration', 'expire_force', 1_800_000_000, undefined],
    ['password-requirements', 'requirement_settings', { age: { expire_max: -1 } }, 'rest_out_of_bounds'],
    ['recaptcha', 'language', 'de-AT', undefined],
    ['recaptcha', 'language', 'xx', 'rest_not_in_enum'],
    ['recaptcha', 'v3_threshold', 1.1, 'rest_out_of_bounds'],
    ['file-change', 'types', ['log'], 'rest_invalid_pattern'],
    ['version-management', 'packages', { 'plugin:garden': { type: 'delay', delay: 7 } }, undefined],
    ['version-management', 'packages', { 'dependency:npm/@scope/name': { type: 'enabled' } }, undefined],
    ['version-management', 'packages', { 'plugin:../x': {} }, 'rest_additional_properties_forbidden'],
    ['version-management', 'packages', { 'plugin:garden': { delay: 181 } }, 'rest_out_of_bounds'],
  ];
  it('are taken or refused as each module says', () =>
    checkRows(cases, ([id, name, value, code]) => {
      const schema = modules.find((module) => module.id === id)?.settings?.schema.properties[name];
      assert.equal(compile(schema!).check(value, name)?.code, code);
    }));
});

describe('The mailed code counts as usable', () => {
  const condition = modules.find(({ id }) => id === 'pro-two-factor')!.settings!.conditional!.protect_vulnerable_users!;
  const cases: readonly (readonly [methods: string, custom: string[], isUsable: boolean])[] = [
    ['all', ['Two_Factor_Totp'], true],
    ['not_email', ['Two_Factor_Email'], false],
    ['custom', ['Two_Factor_Totp'], false],
    ['custom', ['Two_Factor_Totp', 'Two_Factor_Email'], true],
    ['custom', ['Two_Factor_Email', 'Two_Factor_Backup_Codes', 'Two_Factor_Totp'], true],
  ];
  it('is usable when the methods fit', () =>
    checkRows(cases, ([methods, custom, isUsable]) => {
      const values = { available_methods: methods, custom_available_methods: custom };
      assert.equal(compile(condition.settings!).check(values, 'settings') === undefined, isUsable);
    }));
});
