import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ListedCommand } from '#cli/command.ts';
import { siteSettings } from '#config/settings.ts';
import { routesOf } from '#site/extension.ts';
import { checkRows } from '#test/rows.ts';
import { extensions } from '../extensions/all.ts';
import { commands, configs } from '../extensions/command-line.ts';
import { declarations } from './assembly.ts';
import { ownNamespaces } from './known-names.ts';

const declared = declarations(extensions);

describe('a configuration knows every bundled extension', () => {
  test('by its name and its namespaces', () =>
    checkRows(
      declared.filter(({ always }) => always !== true),
      (extension) => {
        assert.ok(
          extension.config && configs.includes(extension.config),
          'name its config in src/extensions/command-line.ts',
        );
        assert.equal(extension.config.name, extension.name);
        assert.deepEqual([...extension.config.namespaces].sort(), Object.keys(routesOf(extension)).sort());
      },
    ));

  test('and no other', () => {
    assert.equal(configs.length, declared.filter(({ always }) => always !== true).length);
  });

  test('and the namespaces of every site', () => {
    const always = declared.filter((one) => one.always === true).flatMap((one) => Object.keys(routesOf(one)));
    assert.deepEqual([...ownNamespaces].sort(), always.sort());
  });
});

describe('the command line lists the commands of every extension', () => {
  const folder = join(import.meta.dirname, '../extensions');
  test('under their own names', () =>
    checkRows(globSync('*/commands.ts', { cwd: folder }), async (file) => {
      const own: { readonly commands: readonly ListedCommand[] } = await import(join(folder, file));
      assert.deepEqual(
        own.commands.filter((one) => !commands.includes(one)),
        [],
      );
    }));

  test('each under a name of its own', () => {
    const names = commands.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
  });
});

test('no two settings have the same name', () => {
  const names = [siteSettings, ...configs.map(({ settings }) => settings)].flatMap((table) => Object.keys(table));
  assert.deepEqual([...new Set(names)], names);
});
