// Sites that are archived and restored at the command line.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place, TestEngine } from './databases.ts';
import { type Ended, gatehouse } from './gatehouse.ts';
import { aMadePlace, type SitePlace } from './serving.ts';

export const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };
export const at = ({ data, database }: Place): string[] => [
  '--data',
  data,
  ...(database ? ['--database', database] : []),
];

/** A site with somebody in it, and a file. */
export async function aSiteToKeep(engine: TestEngine): Promise<SitePlace & { readonly archive: string }> {
  const place = await aMadePlace(engine);
  const named = ['ada', '--email', 'ada@example.org', '--role', 'author', '--generate'];
  const made = await place.run('user', 'create', ...named);
  assert.equal(made.code, 0, made.err);
  writeFileSync(join(place.data, 'media/photo.jpg'), 'photo');
  return { ...place, archive: join(place.data, 'site.ghb') };
}

export const restore = (archive: string, place: Place, ...more: string[]): Promise<Ended> =>
  gatehouse(['restore', archive, ...at(place), ...more], env);

export const people = async (place: Place): Promise<string> =>
  (await gatehouse(['user', 'list', ...at(place)], env)).out;
