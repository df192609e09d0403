// Published patterns of paths are read by clients that know less of regular expressions than the service does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

/** Spelled so by the contract; clients read them, because nothing follows the group inside but `?`. */
const givenByContract = new Set(['(?P<user_id>(?:[\\d]+|me))', '(?P<plugin>[^.\\/]+(?:\\/[^.\\/]+)?)']);
const ofThemes = /^\(\?P<stylesheet>/;

/** As `wpapi` takes the named groups of a path apart. */
const groupOfClients = /\(\?(?:P<|<|')([^>']+)[>']([^)]*(\))?\??)\)/;

function namedGroups(path: string): string[] {
  const groups: string[] = [];
  for (let from = path.indexOf('(?P<'); from >= 0; from = path.indexOf('(?P<', from + 1)) {
    let [at, depth] = [from, 0];
    do {
      if (path[at] === '\\') at++;
      else if (path[at] === '(') depth++;
      else if (path[at] === ')') depth--;
      at++;
    } while (depth > 0 && at < path.length);
    groups.push(path.slice(from, at));
  }
  return groups;
}

for (const deployment of ['a', 'b'] as const)
  eachEngine(`The patterns of deployment ${deployment}`, (engine) => {
    test('hold no group inside a named one, and clients can read them', async () => {
      const site = await aSite(engine, { deployment });
      for (const root of ['/api/', '/wp-json/']) {
        const paths = Object.keys((await site.get(root)).body.routes);
        assert.ok(paths.length > 20);
        for (const path of paths) {
          for (const group of namedGroups(path))
            assert.ok(
              !group.slice(1).includes('(') || givenByContract.has(group) || ofThemes.test(group),
              `${path}: a group inside ${group}`,
            );
          const read = groupOfClients.exec(path);
          if (read !== null) assert.doesNotThrow(() => new RegExp(`^${read[2]}$`, 'i'), path);
        }
      }
    });
  });
