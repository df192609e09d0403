// A site for tests of passkeys: signing in with them is on, and two users are there.
import assert from 'node:assert/strict';
import { assertWith, attest, type Passkey, type Wrongly } from './authenticator.ts';
import type { TestEngine } from './databases.ts';
import { mailsOf } from './mails.ts';
import { aGuardedSite } from './security-suite.ts';
import { type Answer, type Client, noon, type SiteOptions } from './site.ts';
import { aVisitor } from './visitor.ts';
export const rpc = '/api/secsuite/rpc/webauthn';
export const own = '/api/secsuite/v1/webauthn/credentials';

export async function aSiteOfPasskeys(engine: TestEngine, options: SiteOptions = {}) {
  let now = noon.getTime();
  const clock = () => new Date(now);
  const [site, suite] = await aGuardedSite(engine, { clock, env: { GATEHOUSE_URL: 'http://localhost' }, ...options });
  const admin = site.as('administrator');
  const set = async (id: string, values: object) =>
    assert.equal((await admin.patch(`/api/secsuite/v1/settings/${id}`, values)).status, 200);
  await admin.put('/api/secsuite/v1/modules/passwordless-login', { status: { selected: 'active' } });
  const ada = await site.user({ login: 'ada', email: 'ada@site.test', roles: ['author'] });
  const eve = await site.user({ login: 'eve', email: 'eve@site.test', roles: ['author'] });
  const pathOf = (answer: Answer) =>
    new URL(Object.values<{ href: string }[]>(answer.body._links)[0]![0]!.href).pathname;
  const begin = async (as: Client, body: object = {}) => {
    const answer = await as.post(`${rpc}/register-credential`, body);
    assert.equal(answer.status, 200, answer.text);
    return { options: answer.body, path: pathOf(answer) };
  };
  const register = async (as: Client, passkey: Passkey, label?: string) => {
    const { options, path } = await begin(as);
    return as.post(path, { ...(label && { label }), credential: attest(passkey, options) });
  };
  const ask = async (user?: string) => {
    const answer = await site.post(`${rpc}/verify-credential`, user === undefined ? {} : { user });
    assert.equal(answer.status, 200, answer.text);
    return { options: answer.body, path: pathOf(answer) };
  };
  const verify = async (passkey: Passkey, user?: string, wrongly: Wrongly = {}) => {
    const { options, path } = await ask(user);
    return site.post(path, { ...(user && { user }), credential: assertWith(passkey, options, wrongly) });
  };
  const exchange = (user: string, token: string) =>
    aVisitor(site).post('/login', { log: user, pwd: '', method: 'webauthn', token });
  const later = (span: number) => {
    now += span;
  };
  return { site, suite, set, ada, eve, begin, register, ask, verify, exchange, later };
}

export const codeOf = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`.trim();
export const subjectsTo = async (site: Parameters<typeof mailsOf>[0], to: string) =>
  (await mailsOf(site)).filter((one) => one.to === to).map(({ subject }) => subject.replace(/^\[.*?\] /, ''));
