// Whatever a program sends to an ability: no answer is a failure of ours, and none tells of our insides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Schema } from '#kernel/schema.ts';
import { eachEngine } from '#test/databases.ts';
import { argument, worst } from '#test/nasty.ts';
import { sample } from '#test/sample.ts';
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
  const named = () => cards().map(({ name }) => get(name));

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

  for (const { ability, method } of named()) {
    const schema = (ability.input ?? {}) as Schema;
    const fit = sample(schema) as Record<string, unknown>;

    test(`${ability.name} is sent each of the worst, whole and in each of its members`, async () => {
      for (const bad of worst) {
        await hold(ability.name, method, bad);
        for (const member of Object.keys(schema.properties ?? {}))
          await hold(ability.name, method, { ...fit, [member]: bad });
      }
    });

    test(`${ability.name} is sent whatever somebody makes of its description`, async () => {
      const inputs = fc.sample(argument(schema), { numRuns: 25, seed: 20_261_122 });
      for (const input of inputs) await hold(ability.name, method, input);
    });
  }
});
