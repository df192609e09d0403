// The parts of the security suite and the rooms that they share: which of them may see which.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Import, importsIn, sources } from '#test/imports.ts';
import { checkImports } from '#test/walls.ts';

const code = sources('src/extensions/secsuite/**/*.ts').filter(({ isTest }) => !isTest);

/** The rooms of the security suite that its parts share, lowest first. */
const sharedRooms = [
  'disk',
  'software',
  'addresses',
  'settings',
  'switches',
  'logs',
  'groups',
  'client',
  'bans',
  'notifications',
  'notices',
  'tools',
  'lockouts',
];
/** Files of the suite that need no room, so every room may see them. */
const suiteBasics = /^(?:base|errors|module|setting-schemas|transfer)\.ts$/;

/** The path inside the suite, and the folder that owns it: a shared room, a part as `parts/<name>`, or nothing. */
function placeInSuite(path: string) {
  const inside = /^src\/extensions\/secsuite\/(.+)$/.exec(path)?.[1];
  const owner = inside === undefined ? undefined : /^(parts\/[^/]+|[^/]+)\//.exec(inside)?.[1];
  return { inside, owner };
}

function outOfPart({ from, file = '' }: Import): string | undefined {
  const [own, other] = [placeInSuite(from), placeInSuite(file)];
  if (own.owner === undefined || other.inside === undefined) return undefined;
  if (other.inside === `${other.owner}/part.ts`) return 'only the list of parts sees a part';
  if (own.owner === other.owner) return undefined;
  if (own.owner === 'commands')
    return other.owner?.startsWith('parts/') ? 'commands use the suite as a whole' : undefined;
  if (other.owner?.startsWith('parts/')) return 'a part is no business of its siblings, nor of what they share';
  const isPart = own.owner.startsWith('parts/') || own.inside === `${own.owner}/part.ts`;
  if (other.owner === undefined) {
    const isAllowed = suiteBasics.test(other.inside) || (isPart && /^(?:part|shared)\.ts$/.test(other.inside));
    return isAllowed ? undefined : `${other.inside} stands above ${own.owner}`;
  }
  const isBelow = sharedRooms.indexOf(other.owner) < sharedRooms.indexOf(own.owner);
  return isPart || isBelow ? undefined : `${own.owner} may not see ${other.owner}`;
}

describe('A part of the security suite sees what all share, and never a sibling', () => {
  const suite = code.filter(({ path }) => placeInSuite(path).inside !== undefined);
  checkImports('no import breaks the order', suite, outOfPart);

  test('there are these shared rooms, the commands above them, and a part in each folder of parts', () => {
    const owners = new Set(suite.flatMap(({ path }) => placeInSuite(path).owner ?? []));
    const parts = [...owners].filter((owner) => owner.startsWith('parts/'));
    assert.deepEqual([...owners].filter((owner) => !parts.includes(owner)).sort(), ['commands', ...sharedRooms].sort());
    const declared = suite.flatMap(({ path }) => /secsuite\/(parts\/[^/]+)\/part\.ts$/.exec(path)?.[1] ?? []);
    assert.deepEqual(declared.sort(), parts.sort());
  });

  test('an import of a sibling would be seen', () => {
    const [one] = importsIn('src/extensions/secsuite/parts/a/a.ts', "import { b } from '../b/b.ts';");
    assert.ok(one && outOfPart(one));
  });

  test('the part of a shared room sees all shared rooms, and nothing else in the room does', () => {
    const line = "import { l } from '../lockouts/lockouts.ts';";
    const [ofPart] = importsIn('src/extensions/secsuite/bans/part.ts', line);
    const [ofRoom] = importsIn('src/extensions/secsuite/bans/bans.ts', line);
    assert.ok(ofPart && ofRoom);
    assert.equal(outOfPart(ofPart), undefined);
    assert.ok(outOfPart(ofRoom));
  });
});
