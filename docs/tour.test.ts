import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';

const docs = import.meta.dirname;
const tour = readFileSync(join(docs, 'tour.md'), 'utf8');

/** Links are held by the test of all pages; a file that is only named stands in one of the folders its stop leads to. */
describe('every file that a stop of the tour names is there', () => {
  const stops = tour.slice(0, tour.indexOf('\n## ')).split(/\n(?=\d+\. )/);
  for (const stop of stops.slice(1)) {
    const targets = [...stop.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => join(docs, target));
    const folders = targets.map((target) => (statSync(target).isDirectory() ? target : dirname(target)));
    for (const [, name = ''] of stop.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)) {
      test(name, () => assert.ok(folders.some((folder) => existsSync(join(folder, name)))));
    }
  }
});
