// A site that is asked inside its process: what `dispatch` answers, written out as it would be sent.
import { noSources } from '#kernel/request.ts';
import { fill } from '#test/crowd.ts';
import { booted, type SiteAsked } from '../booted.ts';
import { given, offer } from '../child.ts';
import { stated } from '../databases.ts';
import type { Done } from '../load.ts';

export interface InsideAsked extends SiteAsked {
  /** How many users there are besides the one who asks. */
  readonly users?: number | undefined;
  /** How long a refused sign-in takes at least, in milliseconds, where that is not as usual. */
  readonly refusalTakes?: number | undefined;
}

export interface Question {
  /** Below the root, with its query. */
  readonly at: string;
  /** Whether with an application password. */
  readonly known: boolean;
  readonly milliseconds: number;
  /** How many ask at a time. One alone leaves the process to sleep while a database answers, and waking costs as much as work. */
  readonly together?: number;
}

export interface Attempts {
  readonly kind: 'account' | 'application_password';
  readonly login: string;
  readonly password: string;
}

const { users = 0, refusalTakes, ...asked } = given<InsideAsked>();
const { app, credentials } = await booted(asked, refusalTakes === undefined ? {} : { refusalTakes });
const { store, identity } = app.services;
await fill(store, users);
if (asked.database !== undefined && users > 0) await stated(asked.database, 'vacuum analyze'); // as the server does by itself, in a minute

const request = (at: string, headers: Readonly<Record<string, string>>) => {
  const [path = '', query = ''] = at.split('?');
  const address = '127.0.0.1';
  return { id: 'bench', face: 'neutral', method: 'GET', path, query, headers, address, sources } as const;
};
const sources = async () => noSources;

async function ask({ at, known, milliseconds, together = 1 }: Question): Promise<Done> {
  const question = request(at, known ? { authorization: credentials.Authorization } : {});
  const started = performance.now();
  let [done, status, sent] = [0, 200, 0];
  const one = async (): Promise<void> => {
    while (status === 200 && performance.now() - started < milliseconds) {
      const reply = await app.dispatch(question);
      status = reply.status;
      sent += JSON.stringify(reply.body).length;
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: together }, one));
  if (status !== 200 || sent === 0) throw new Error(`${at} was answered with ${status}.`);
  return { done, milliseconds: performance.now() - started };
}

/** How long one refusal took, in milliseconds. */
async function refused({ kind, login, password }: Attempts): Promise<number> {
  const basic = { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
  const started = performance.now();
  const client = { address: '127.0.0.1', agent: 'bench' };
  const user =
    kind === 'account'
      ? (await identity.signIn.attempt({ login, password, remember: false, client })).started
      : await identity.identify(request('/', basic)).catch(() => undefined);
  if (user !== undefined) throw new Error(`${login} was let in.`);
  return performance.now() - started;
}

/** A user with both kinds of password, for others to guess. */
async function somebody(): Promise<void> {
  const login = 'somebody';
  const user = await identity.users.add({ login, email: `${login}@example.net`, password: 'only they know' });
  await identity.applicationPasswords.add(user, { name: 'a program' });
}

offer({ ask, refused, somebody, settled: () => true }, () => app.close());
