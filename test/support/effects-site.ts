// A site on which a test sees what each module of the security suite does.
import assert from 'node:assert/strict';
import { modulesOn } from '../../src/extensions/secsuite/parts.ts';
import type { TestEngine } from './databases.ts';
import { type Asker, base, type Effect, effects, type Other, rule, type Said } from './effects.ts';
import { aSite } from './site.ts';

export const modules = modulesOn({ data: '.' });

type Follows = (ask: () => Promise<string>, expected: string) => Promise<unknown>;

export const seenEffects = Object.entries(effects).flatMap(([id, { effect }]) => (effect ? [{ id, effect }] : []));

/** A site of as many processes: the first is changed, the last is looked at. */
export async function effectsOn(engine: TestEngine, processes: 1 | 2) {
  const env = { GATEHOUSE_TRUST_PROXY: '127.0.0.1,::1', GATEHOUSE_CAPTCHA_URL: 'https://captcha.site.test' };
  const url = 'https://site.test';
  const one = await aSite(engine, { deployment: 'a', env, config: { url } });
  const { data, database } = one.config;
  const two =
    processes === 1
      ? one
      : await aSite(engine, { deployment: 'a', env, config: { url, data, ...(database && { database }) } });
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
  /** Checks what is seen without the module, with it and without it again. */
  const check = async (id: string, { given = {}, set, see, on, off }: Effect, follows: Follows): Promise<void> => {
    for (const [module, values] of Object.entries(given)) await put(module, values);
    const begin = () => (set ? put(set[0], set[1]) : turn(id, 'active'));
    const end = () => (set ? put(set[0], set[2]) : turn(id, 'inactive'));
    const seen = async () => JSON.stringify(await see(other));
    const wasOn = modules.find((module) => module.id === id)?.standing === 'default-active' && !set;
    await end();
    await follows(seen, JSON.stringify(off));
    await begin();
    await follows(seen, JSON.stringify(on));
    await end();
    await follows(seen, JSON.stringify(off));
    if (wasOn) await begin();
    if (given['ban-users']) await put('ban-users', { agent_list: [] });
  };
  return check;
}
