// A site without a user, on which commands are run.
import assert from 'node:assert/strict';
import type { TestEngine } from './databases.ts';
import type { Ended } from './gatehouse.ts';
import { aMadePlace } from './serving.ts';

export const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

export async function placeWithoutUsers(engine: TestEngine) {
  const place = await aMadePlace(engine);
  const add = (login: string, ...more: string[]) =>
    place.run('user', 'create', login, '--email', `${login}@site.test`, '--generate', ...more);
  return { ...place, add };
}
