// The first user where several processes start on one site.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { aSitePlace, type SitePlace, stopped } from '#test/serving.ts';

const everybody = async ({ run }: SitePlace): Promise<{ login: string; email: string; roles: string[] }[]> =>
  JSON.parse((await run('user', 'list', '--json')).out);

/** Where signing in leads: somewhere else, or nowhere. */
const signedIn = async (origin: string, log: string, pwd: string): Promise<boolean> => {
  const answer = await fetch(`${origin}/login`, {
    method: 'POST',
    body: new URLSearchParams({ log, pwd }),
    redirect: 'manual',
  });
  return answer.status === 302;
};

eachEngine('the first start', (engine) => {
  test('is made once by two processes that start together, and the file is of the one who made it', async () => {
    const place = await aSitePlace(engine);
    const [one, other] = await Promise.all([place.serve(), place.serve()]);
    const made = [one, other].filter(({ said }) => said.includes('as admin'));
    assert.equal(made.length, 1);
    const files = readdirSync(place.data).filter((name) => name.startsWith('first-password'));
    assert.deepEqual(files, ['first-password']);
    const password = readFileSync(join(place.data, 'first-password'), 'utf8').trim();
    for (const { origin } of [one, other]) assert.equal(await signedIn(origin, 'admin', password), true);
    await Promise.all([stopped(one), stopped(other)]);
    assert.equal((await everybody(place)).length, 1);
  });
});

describe('a machine beside the one that made the first user', () => {
  const engine = testEngine('postgres');

  test('says where to look for the password', async () => {
    const place = await aSitePlace(engine);
    const beside = await aSitePlace(engine, place);
    const first = await place.serve();
    const other = await beside.serve();
    const given = await beside.serve({ GATEHOUSE_ADMIN_PASSWORD: 'a long enough phrase' });
    assert.doesNotMatch(first.said, /First user/);
    assert.match(other.said, /First user +admin, created by another start: its password was shown there, or is in /);
    assert.doesNotMatch(given.said, /First user/);
    await Promise.all([first, other, given].map(stopped));
  });
});
