// Settings that nothing reads say so, wherever they are described.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { modulesOn } from './parts.ts';

const suite = import.meta.dirname;
/** Files that only declare what can be set; a name in one of them does not mean that anything reads the setting. */
const declares = /: Module = |: Record<string, SettingSchema> = |satisfies Module;/m;
/** The settings that a declaring file itself uses: members it asks for, takes apart or keeps. */
const uses =
  /\.(\w+_\w+)|const (\w+_\w+) =|&& \{ (\w+):|\(\{([^{}]*)\}(?:: \w+)?\) =>|const \{([^{}]*)\} =|\.keep\('[\w-]+', \{([^{}]*)\}/g;
const readBy = (text: string): string => [...text.matchAll(uses)].map(([, ...names]) => names.join(' ')).join('\n');
const code = globSync('**/*.ts', { cwd: suite })
  .filter((file) => !file.endsWith('.test.ts') && file !== 'setting-schemas.ts' && !file.endsWith('languages.ts'))
  .map((file) => readFileSync(join(suite, file), 'utf8'))
  .map((text) => (declares.test(text) ? readBy(text) : text))
  .join('\n');

/** By a word of the code; what is named elsewhere by the same word is listed here. */
const isRead = (id: string, name: string): boolean =>
  !sameWord.has(`${id}.${name}`) && code.match(RegExp(`\\b${name}\\b`)) !== null;

/** Settings that nothing reads, while the code has their words for other things. */
const sameWord = new Set([
  ...['recaptcha.register', 'ssl.admin', 'feature-flags.enabled'],
  ...['geolocation.maxmind_lite'],
  ...['global.build', 'backup.zip'],
  // Named among what no export holds.
  ...['global.use_cron', 'global.cron_test_time'],
  ...['core_automatic_updates', 'theme_automatic_updates'].map((name) => `version-management.${name}`),
  'site-scanner.vulnerabilities',
]);

describe('Settings of modules', () => {
  const all = modulesOn({ data: '/srv/gatehouse' }).flatMap(({ id, settings }) =>
    Object.entries(settings?.schema.properties ?? {}).map(([name, schema]) => ({ id, name, schema })),
  );

  it('act, or are said not to', () => {
    const silent = all.filter(
      ({ id, name, schema }) =>
        !isRead(id, name) &&
        !/Not available in this version|this setting changes nothing/.test(schema.description ?? ''),
    );
    assert.deepEqual(
      silent.map(({ id, name }) => `${id}.${name}`),
      [],
    );
  });

  it('are not said to do nothing while something reads them', () => {
    const denied = all.filter(
      ({ id, name, schema }) => isRead(id, name) && schema.description?.includes('Not available in this version'),
    );
    assert.deepEqual(
      denied.map(({ id, name }) => `${id}.${name}`),
      [],
    );
  });
});
