// The settings of several machines and the types of uploads that storage.md names are those that Gatehouse takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPicture, isSizable, mimeOf } from '#site/content/media/file-kinds.ts';
import { readConfig } from '../src/config.ts';
import { blocks, written } from './handbook.ts';

const page = written('storage.md');

test('the settings of several machines are taken', () => {
  const [block = ''] = blocks('sh', page).filter((one) => one.startsWith('GATEHOUSE_HOST='));
  const env = Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const { host, media, database, smtp } = readConfig({ env: { ...env, GATEHOUSE_DEPLOYMENT: 'b' } });
  assert.equal(host, '10.0.0.11');
  assert.equal(media.kind, 's3');
  assert.ok(database && smtp);
});

test('the types of files that the page names are accepted', () => {
  const [, table = ''] = /\n\| Accepted \| Endings \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = table.trim().split('\n');
  const endings = rows.map((row) => [...row.matchAll(/`(\w+)`/g)].map(([, ending = '']) => ending));
  const kinds = endings.map((some) => some.map((ending) => mimeOf(`file.${ending}`)));
  assert.deepEqual([rows.length, kinds.flat().indexOf('application/octet-stream')], [4, -1]);
  assert.deepEqual(
    kinds.map((some) => [some.every(isSizable), some.every(isPicture), some.some(isPicture)]),
    [
      [true, true, true],
      [false, true, true],
      [false, false, false],
      [false, false, false],
    ],
  );
});
