// A browser as the site sees one: it keeps its cookies, sends forms, and goes nowhere by itself.
import { type Credential, sessionCookie } from '#site/identity/credential.ts';
import { restPurpose } from '#site/identity/sessions/sessions.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Client, TestSite } from './site.ts';

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  /** Without its stylesheet. */
  readonly text: string;
  /** Where it leads, for a redirect. */
  readonly to: string | null;
  /** The cookies it gives, as they are written. */
  readonly given: readonly string[];
}

export type Form = Record<string, string> | string | Uint8Array;

export interface Visitor {
  /** By name. */
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Shown>;
  post(path: string, form: Form, headers?: Record<string, string>): Promise<Shown>;
  signIn(login: string, password: string, more?: Record<string, string>): Promise<Shown>;
  /** The token of the first form on the page at this path, or of the first one after these words. */
  token(path: string, after?: string): Promise<string>;
}

/** `standing`: headers sent each time. */
export function aVisitor({ origin }: Pick<TestSite, 'origin'>, standing: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Shown> => {
    const held = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(held !== '' && { cookie: held }), ...standing, ...init.headers } as Record<string, string>;
    const response = await fetch(`${origin}${path}`, { ...init, headers, redirect: 'manual' });
    const given = response.headers.getSetCookie();
    for (const cookie of given) keep(cookies, cookie);
    const { status } = response;
    return {
      status,
      headers: response.headers,
      text: (await response.text()).replace(/<style>.*<\/style>/s, ''),
      to: response.headers.get('location'),
      given,
    };
  };
  const get: Visitor['get'] = (path, headers = {}) => send(path, { headers });
  const post: Visitor['post'] = (path, form, headers = {}) => {
    const isWritten = typeof form === 'string' || form instanceof Uint8Array;
    const body = isWritten ? form : new URLSearchParams(form).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return send(path, { method: 'POST', body: body as string, headers: { ...type, ...headers } });
  };
  return {
    cookies,
    get,
    post,
    signIn: (login, password, more = {}) => post('/wp-login.php', { log: login, pwd: password, ...more }),
    token: async (path, after) => tokenIn((await get(path)).text, after),
  };
}

/** A browser in which this user is signed in, or who has this role and no other. */
export async function signedInAs(site: TestSite, who: User | string): Promise<Visitor> {
  const user = typeof who === 'string' ? ((await site.caller(who)).credential as Credential).user : who;
  const { sessions } = site.app.services.identity;
  const started = await sessions.start(user, false, { address: '127.0.0.1', agent: 'test' });
  const visitor = aVisitor(site);
  visitor.cookies.set(sessionCookie, started!.cookie);
  return visitor;
}

/** The headers of a script on a page of the site that this user has open. */
export const sessionHeaders = async (site: TestSite, user: User): Promise<Record<string, string>> =>
  scriptHeaders(site, await startSession(site, user));

const startSession = async ({ app }: TestSite, user: User): Promise<string> =>
  (await app.services.identity.sessions.start(user, true, { address: '127.0.0.1', agent: 'test' }))!.cookie;

/** With a token of now: none lives as long as a session. */
async function scriptHeaders({ app }: TestSite, cookie: string): Promise<Record<string, string>> {
  const { sessions } = app.services.identity;
  const session = await sessions.find(cookie);
  return {
    cookie: `${sessionCookie}=${cookie}`,
    ...(session && { 'x-wp-nonce': sessions.token(session, restPurpose) }),
  };
}

/** Such a script. */
export function inBrowser(site: TestSite, user: User): Client {
  let known: Promise<string> | undefined;
  const request: Client['request'] = async (method, path, sent = {}) => {
    known ??= startSession(site, user);
    const headers = { ...(await scriptHeaders(site, await known)), ...sent.headers };
    return site.request(method, path, { ...sent, headers });
  };
  const verb =
    (method: string): Client['post'] =>
    (path, body, headers) =>
      request(method, path, { body, headers });
  return {
    request,
    get: (path, headers) => request('GET', path, { headers }),
    options: (path, headers) => request('OPTIONS', path, { headers }),
    post: verb('POST'),
    put: verb('PUT'),
    patch: verb('PATCH'),
    delete: verb('DELETE'),
  };
}

/** The token of the first form after these words. */
export const tokenIn = (page: string, after = ''): string =>
  /name="_wpnonce" value="([^"]+)"/.exec(page.slice(page.indexOf(after)))?.[1] ?? '';

function keep(cookies: Map<string, string>, cookie: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  if (/; Max-Age=0(?:;|$)/.test(cookie)) cookies.delete(name);
  else cookies.set(name, value);
}
