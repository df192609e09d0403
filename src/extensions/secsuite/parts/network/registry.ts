// The registry that sites share addresses of attackers by. None is asked that the operator did not name.
import { readJson } from '#kernel/args/json.ts';
import { Problem } from '#kernel/problem.ts';
import { printable } from '#lib/printable.ts';
import { second } from '#lib/spans.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';

export interface Keys {
  readonly key: string;
  readonly secret: string;
}

export interface Registry {
  /** Keys for this site; a sentence says why there are none. */
  register(email: string, updates: boolean): Promise<Keys | string>;
  /** For how many seconds it stays on the list; 0 where it is not on it, nothing where nobody says. */
  ask(address: string, keys: Keys): Promise<number | undefined>;
  /** It was locked out here. */
  report(address: string, keys: Keys): Promise<void>;
}

interface Needs {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** Where it is. */
  readonly base: string;
  /** The address of the site. */
  readonly site: string;
}

const longest = 86_400;

export function createRegistry({ outgoing, base, site }: Needs): Registry {
  const send = async (path: string, said: object, keys?: Keys): Promise<Readonly<Record<string, unknown>>> => {
    const basic = keys && `Basic ${Buffer.from(`${keys.key}:${keys.secret}`).toString('base64')}`;
    const fetched = await outgoing.fetch(`${base.replace(/\/$/, '')}${path}`, {
      name: 'secsuite-registry',
      method: 'POST',
      types: ['application/json'],
      errors: [400, 403, 409, 422],
      most: 16_384,
      within: 5 * second,
      withinHost: true as const,
      headers: { 'Content-Type': 'application/json', ...(basic !== undefined && { Authorization: basic }) },
      body: JSON.stringify(said),
    });
    const answer: unknown = readJson(await fetched.bytes());
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  };
  return {
    async register(email, updates) {
      const said = await unless(() => send('/register', { site, email, updates }));
      if (said === undefined) return 'The registry does not answer just now. Please try again later.';
      const { key, secret, message } = said;
      if (isKey(key) && isKey(secret)) return { key, secret };
      return typeof message === 'string' && message !== ''
        ? printable(message.slice(0, 300))
        : 'The registry gave no keys for this site.';
    },
    async ask(address, keys) {
      const said = await unless(() => send('/check', { ip: address }, keys));
      if (typeof said?.blocked !== 'boolean') return undefined;
      if (!said.blocked) return 0;
      const { seconds } = said;
      return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, longest) : 3600;
    },
    report: async (address, keys) => void (await unless(() => send('/report', { ip: address }, keys))),
  };
}

const isKey = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);

async function unless<R>(work: () => Promise<R>): Promise<R | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Upstream || error instanceof Problem) return undefined;
    throw error;
  }
}
