// What each module does, seen by another process than the one that switches it: with it, and within a second without it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { type Asker, base, effects, type Other, rule, type Said } from '#test/effects.ts';
import { aSite } from '#test/site.ts';
import { soon, withinASecond } from '#test/soon.ts';
import { modulesOn } from './parts.ts';

const modules = modulesOn({ data: '.' });

/** A module can be shown by a test in its own folder that says its name, in place of a line in the table. */
const tests = globSync('**/*.test.ts', { cwd: import.meta.dirname }).map((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8'),
);
const isTold = (id: string): boolean =>
  tests.some((text) => RegExp(`^(?:describe|eachEngine)\\('${id}: `, 'm').test(text));

describe('What modules do', () => {
  it('is shown of each of them, or said to be nothing', () => {
    const elsewhere = modules.map(({ id }) => id).filter((id) => effects[id] === undefined);
    assert.deepEqual(
      elsewhere.filter((id) => !isTold(id)),
      [],
      'a test beside its part.ts begins with its name: describe("my-module: …")',
    );
    assert.deepEqual(
      Object.keys(effects).filter((id) => !modules.some((module) => module.id === id)),
      [],
    );
    const silent = Object.entries(effects).filter(([, { effect, shown, none }]) => !effect && !shown && !none);
    assert.deepEqual(silent, []);
  });

  it('is shown of those that can be switched by switching them', () => {
    const unseen = modules.filter(
      ({ id, standing }) => standing !== 'always-active' && effects[id] && !effects[id].effect,
    );
    assert.deepEqual(
      unseen.map(({ id }) => [id, effects[id]?.none]),
      [
        ['privilege', 'its work comes later'],
        ['webauthn', 'its work comes later'],
        ['pro-two-factor', 'it does nothing by itself'],
      ],
    );
  });

  for (const [id, { shown = [] }] of Object.entries(effects))
    for (const [file, sentence] of shown)
      it(`is told for ${id} by ${file}: ${sentence}`, () => {
        const tests = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n');
        assert.ok(tests.some((line) => /^ *(?:it|test)\(/.test(line) && line.includes(sentence)));
      });
});

async function twoProcesses(engine: TestEngine) {
  const env = { GATEHOUSE_TRUST_PROXY: '127.0.0.1,::1', GATEHOUSE_CAPTCHA_URL: 'https://captcha.site.test' };
  const url = 'https://site.test';
  const one = await aSite(engine, { deployment: 'a', env, config: { url } });
  const { data, database } = one.config;
  const two = await aSite(engine, { deployment: 'a', env, config: { url, data, ...(database && { database }) } });
  const admin = one.as('administrator');
  const made = await admin.post(`${base}/user-groups`, { label: 'The group', roles: ['editor'] });
  assert.equal(made.status, 201, made.text);
  assert.equal((await admin.post(`${base}/firewall/rules`, { name: 'Attack', config: rule })).status, 201);
  const group = made.body.id as string;
  const put = async (module: string, said: object) => {
    const values = JSON.parse(JSON.stringify(said).replaceAll('the group', group));
    const { status, text } = await admin.patch(`${base}/settings/${module}`, values);
    assert.equal(status, 200, text);
  };
  const turn = async (module: string, selected: string) => {
    const { status, text } = await admin.put(`${base}/modules/${module}`, { status: { selected } });
    assert.equal(status, 200, text);
  };
  let visits = 0;
  const ask = async (path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Said> => {
    const from = { 'x-forwarded-for': `203.0.113.${++visits % 250}`, 'x-forwarded-proto': 'https' };
    const answer = await fetch(`${two.origin}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...from, ...init.headers },
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
  };
  const as = (role: string): Asker => ({
    get: async (path) => ask(path, { headers: await one.credentials(role) }),
    post: async (path, body = {}) => {
      const headers = { ...(await one.credentials(role)), 'content-type': 'application/json' };
      return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
    },
  });
  const other: Other = {
    admin: as('administrator'),
    as,
    group,
    status: async (path, headers = {}) => (await ask(path, { headers })).status,
  };
  return { put, turn, other };
}

eachEngine('What a module does', (engine) => {
  test('another process does within a second, and does no more within a second', async (t) => {
    const { put, turn, other } = await twoProcesses(engine);
    for (const [id, { effect }] of Object.entries(effects)) {
      if (effect === undefined) continue;
      await t.test(id, async () => {
        const { given = {}, set, see } = effect;
        for (const [module, values] of Object.entries(given)) await put(module, values);
        const begin = () => (set ? put(set[0], set[1]) : turn(id, 'active'));
        const end = () => (set ? put(set[0], set[2]) : turn(id, 'inactive'));
        const seen = async () => JSON.stringify(await see(other));
        // What a setting says may take its time to be seen: a password is measured, a file is written.
        const follows = set ? soon : withinASecond;
        const wasOn = modules.find((module) => module.id === id)?.standing === 'default-active' && !set;
        await end();
        await follows(seen, JSON.stringify(effect.off));
        await begin();
        await follows(seen, JSON.stringify(effect.on));
        await end();
        await follows(seen, JSON.stringify(effect.off));
        if (wasOn) await begin();
        if (given['ban-users']) await put('ban-users', { agent_list: [] });
      });
    }
  });
});
