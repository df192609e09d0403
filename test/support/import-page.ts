// The page that moves a site in, as a browser uses it.
import type { TestSite } from './site.ts';
import { aVisitor, type Shown, type Visitor } from './visitor.ts';

export const importPath = '/wp-admin/import.php';
export const password = 'a quiet river';

export async function signedIn(site: TestSite, role = 'administrator'): Promise<Visitor> {
  await site.user({ login: `the-${role}`, roles: [role], password });
  const visitor = aVisitor(site);
  await visitor.signIn(`the-${role}`, password);
  return visitor;
}

type Fields = Readonly<Record<string, string>>;

/** As a browser sends the form. */
export async function sendExport(
  visitor: Visitor,
  file: string | Buffer,
  fields: Fields = {},
  name = 'old.xml',
): Promise<Shown> {
  const form = new FormData();
  const all = { _wpnonce: await visitor.token(importPath), authors: 'create', role: 'author', map: '', ...fields };
  for (const [field, value] of Object.entries(all)) form.append(field, value);
  form.append('file', new Blob([file as string]), name);
  const request = new Request('http://x/', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type')! };
  return visitor.post(importPath, new Uint8Array(await request.arrayBuffer()), headers);
}

/** Once everything that was sent is moved in. */
export const moved = ({ app }: TestSite): Promise<void> => app.services.jobs.settled();
