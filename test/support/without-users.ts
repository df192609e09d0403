// A site without a user, on which commands are run.
import assert from 'node:assert/strict';
import type { TestEngine } from './databases.ts';
import { type Ended, gatehouse } from './gatehouse.ts';
import { aSitePlace } from './serving.ts';

export const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

export async function placeWithoutUsers(engine: TestEngine) {
  const place = await aSitePlace(engine);
  const { run, where, env } = place;
  fine(await run('migrate'));
  const fed = (input: string | Uint8Array, ...args: string[]) => gatehouse([...args, ...where], env, undefined, input);
  const add = (login: string, ...more: string[]) =>
    run('user', 'create', login, '--email', `${login}@site.test`, '--generate', ...more);
  return { ...place, fed, add };
}
