// An editor in a browser: signed in with a cookie and a token, it changes and deletes by POST with the method in a header.
import assert from 'node:assert/strict';
import type { Answer, TestSite } from './site.ts';
import { aVisitor } from './visitor.ts';

export interface Editing {
  /** Paths below the root of the interface: `wp/v2/posts`. */
  get(path: string): Promise<Answer>;
  options(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

const password = 'a quiet river';

/** Somebody new of this role, at work in a browser. */
export async function anEditor(site: TestSite, role: string): Promise<Editing> {
  const login = `writing-${role}`;
  await site.user({ login, roles: [role], password });
  const browser = aVisitor(site);
  await browser.signIn(login, password);
  const { status, text: token } = await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce');
  assert.equal(status, 200);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = (method: string, path: string, body?: unknown, more = {}): Promise<Answer> => {
    const asked = `/wp-json/${path}${path.includes('?') ? '&' : '?'}_locale=user`;
    return site.request(method, asked, { headers: { cookie, 'x-wp-nonce': token, ...more }, body });
  };
  return {
    get: (path) => send('GET', path),
    options: (path) => send('OPTIONS', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('POST', path, body, { 'x-http-method-override': 'PUT' }),
    delete: (path) => send('POST', path, undefined, { 'x-http-method-override': 'DELETE' }),
  };
}
