// Whatever a program sends to an ability: no answer is a failure of ours, and none tells of our insides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { worst } from '#test/nasty.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';

const root = '/api/core-abilities/v1/abilities';

/** As an address says it, as far as an address can. */
function inAddress(name: string, value: unknown): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => inAddress(`${name}[${key}]`, member));
  return [`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(String(value).toWellFormed())}`];
}

const longestAddress = 6_000;

eachEngine('What is sent to abilities', async (engine) => {
  const site = await aSite(engine);
  const administrator = site.as('administrator');
  const { cards, get } = site.app.services.abilities;

  async function hold(name: string, method: string, input: unknown): Promise<void> {
    const path = `${root}/${name}/run`;
    const query = inAddress('input', input).join('&').slice(0, longestAddress);
    const answer =
      method === 'POST'
        ? await administrator.post(path, { input })
        : await administrator.request(method, `${path}?${query}`);
    assert.ok(answer.status < 500, `${name} ${JSON.stringify(input)?.slice(0, 200)}: ${answer.text.slice(0, 300)}`);
    assert.ok(answer.status !== 200 || answer.body !== undefined, 'what was done is answered in JSON');
  }

  const names = () => cards().map(({ name }) => name);
  test('is each of the worst values', () =>
    checkRows(names(), async (name) => {
      for (const bad of worst) await hold(name, get(name).method, bad);
    }));
});
