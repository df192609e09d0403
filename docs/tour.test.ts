import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { modulesOn } from '../src/extensions/secsuite/modules/all.ts';

const docs = import.meta.dirname;
const tour = readFileSync(join(docs, 'tour.md'), 'utf8');

/** Links are held by the test of all pages; a file that is only named stands in one of the folders its stop leads to. */
describe('every file that a stop of the tour names is there', () => {
  const stops = tour.slice(0, tour.indexOf('\n## ')).split(/\n(?=\d+\. )/);
  for (const stop of stops.slice(1)) {
    const targets = [...stop.matchAll(/\]\(([^#)][^)]*)\)/g)].map(([, target = '']) => join(docs, target));
    const folders = targets.map((target) => (statSync(target).isDirectory() ? target : dirname(target)));
    for (const [, name = ''] of stop.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)) {
      test(name, () => assert.ok(folders.some((folder) => existsSync(join(folder, name)))));
    }
  }
});

test('the table of rooms names every room of the security suite once, and modules that there are', () => {
  const rows = [...tour.matchAll(/^\| (`[^|]+) \|[^|]*\|([^|]*)\|$/gm)];
  const namesIn = (cell: string) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
  const rooms = readdirSync(join(docs, '../src/extensions/secsuite'), { withFileTypes: true });
  assert.deepEqual(
    rows.flatMap(([, cell = '']) => namesIn(cell)).sort(),
    rooms.flatMap((one) => (one.isDirectory() ? [one.name] : [])).sort(),
  );
  const modules = modulesOn({ data: '.' }).map(({ id }) => id);
  const strangers = rows.flatMap(([, , cell = '']) => namesIn(cell)).filter((id) => !modules.includes(id));
  assert.deepEqual(strangers, []);
});
