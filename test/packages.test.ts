import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

const manifest = read('package.json');
const locked = Object.entries(read('package-lock.json').packages as Record<string, Locked>).filter(
  ([path]) => path !== '',
);
const production = locked.filter(([, { dev }]) => !dev);

test('Packages are asked for by one exact version', () => {
  const exact = /^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
  const wanted = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries((manifest[kind] ?? {}) as Record<string, string>),
  );
  assert.deepEqual(
    wanted.filter(([, version]) => !exact.test(version)),
    [],
  );
});

describe('The lock', () => {
  test('names no place to download from, so that every mirror will do', () => {
    assert.deepEqual(
      locked.filter(([, { resolved, link }]) => resolved !== undefined || link).map(([path]) => path),
      [],
    );
  });

  test('knows the content of every package', () => {
    assert.deepEqual(
      locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
      [],
    );
  });

  test('is of this package.json', () => {
    const own = read('package-lock.json').packages[''];
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      assert.deepEqual(own[kind] ?? {}, manifest[kind] ?? {});
    }
  });
});

/** Licences that ask for no more than to be named. */
const free = /^(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|CC0-1\.0|BlueOak-1\.0\.0|Unlicense|Python-2\.0)$/;
/** Linked at run time, as its licence allows: the image library inside sharp. */
const lesser = /^node_modules\/@img\/sharp-(?:libvips-|wasm32$|win32-)/;

/** What is wrong with a package that ships, if anything is. */
function licenseProblem([path, { license, optional }]: readonly [string, Locked]): string | undefined {
  const own = join(root, path, 'package.json');
  if (!optional && !existsSync(own)) return `${path} is not installed`;
  const declared: unknown = existsSync(own) ? JSON.parse(readFileSync(own, 'utf8')).license : license;
  const choices = String(declared).replace(/[()]/g, '').split(' OR ');
  const may = (one: string) => free.test(one) || (lesser.test(path) && /^LGPL-/.test(one));
  const isFine = choices.some((choice) => choice.split(' AND ').every(may));
  return isFine ? undefined : `${path} is under ${String(declared)}`;
}

test('What ships is under a licence that lets everybody use it', () => {
  assert.ok(production.length > 0);
  assert.deepEqual(
    production.flatMap((one) => licenseProblem(one) ?? []),
    [],
  );
});
