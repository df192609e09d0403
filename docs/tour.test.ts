import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { allParts, modulesOn } from '../src/extensions/secsuite/parts.ts';
import { moduleOrder } from '../src/extensions/secsuite/settings/module-order.ts';

const docs = import.meta.dirname;
const tour = readFileSync(join(docs, 'tour.md'), 'utf8');

/** Links are held by the test of all pages; a file that is only named stands in one of the folders its stop leads to. */
test('every file that a stop of the tour names is there', () => {
  const stops = tour
    .slice(0, tour.indexOf('\n## '))
    .split(/\n(?=\d+\. )/)
    .slice(1);
  const missing = stops.flatMap((stop) => {
    const targets = [...stop.matchAll(/\]\(([^#)][^)]*)\)/g)].map(([, target = '']) => join(docs, target));
    const folders = targets.map((target) => (statSync(target).isDirectory() ? target : dirname(target)));
    const names = [...stop.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name);
    return names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  });
  assert.ok(stops.length > 0);
  assert.deepEqual(missing, []);
});

test('the tables name every shared room of the security suite once, parts that there are, and modules that there are', () => {
  const rows = [...tour.matchAll(/^\| (`[^|]+) \|[^|]*\|([^|]*)\|$/gm)];
  const namesIn = (cell: string) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
  const foldersIn = (path: string) =>
    readdirSync(join(docs, path), { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  const suite = '../src/extensions/secsuite';
  const named = rows.flatMap(([, cell = '']) => namesIn(cell));
  const [rooms, parts] = [foldersIn(suite), foldersIn(`${suite}/parts`)];
  assert.deepEqual(named.filter((name) => rooms.includes(name)).sort(), rooms.sort());
  assert.deepEqual(
    named.filter((name) => !rooms.includes(name) && !parts.includes(name)),
    [],
  );
  const areEstablished = ({ modules = [] }: (typeof allParts)[number]) =>
    modules.every((one) => moduleOrder.includes((typeof one === 'function' ? one({ data: '.' }) : one).id));
  const working = allParts.filter((part) => (part.tools || part.routes || part.guards) && areEstablished(part));
  const missing = working.map(({ name }) => name).filter((name) => !named.includes(name));
  assert.deepEqual(missing, []);
  const modules = modulesOn({ data: '.' }).map(({ id }) => id);
  const strangers = rows.flatMap(([, , cell = '']) => namesIn(cell)).filter((id) => !modules.includes(id));
  assert.deepEqual(strangers, []);
});
