// Addresses that attacked other sites: looked up in a shared registry after a wrong password, and refused from then on.

import { readJson } from '#kernel/args/json.ts';
import { asSaid, defineError, Problem } from '#kernel/problem.ts';
import { isPublicIp } from '#lib/ip-address.ts';
import { printable } from '#lib/printable.ts';
import { hour, second } from '#lib/spans.ts';
import type { Services } from '#site/extension.ts';
import type { Check } from '#site/identity/checks.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { LockResponse } from '../../lockouts/lock-response.ts';
import type { Event } from '../../logs/entry.ts';
import type { ModuleSettings, Settings } from '../../settings/types.ts';

export const networkErrors = {
  unavailable: defineError(
    400,
    'secsuite.network-brute-force.unavailable',
    'This site has no shared blocklist. Ask your site operator to set GATEHOUSE_BLOCKLIST_URL.',
  ),
  refused: defineError(400, 'secsuite.network-brute-force.refused', asSaid),
};

interface Needs extends Pick<Services, 'clock' | 'outgoing' | 'events'> {
  readonly settings: Pick<Settings, 'of' | 'secret' | 'ahead' | 'isReady'>;
  /** The registry, as the operator laid it down. */
  readonly base: string | undefined;
  /** The address of the site. */
  readonly url: string;
  readonly response: Pick<LockResponse, 'refused'>;
  isRunning(): boolean;
  /** Whether the address is always let in. */
  lets(address: string): boolean;
  log(event: Event): void;
}

export interface Network {
  readonly check: Check;
  /** It was locked out here: others are told, unless they are being told of very many already. */
  reported(address: string): Promise<void>;
}

const id = 'network-brute-force';
type NetworkSettings = ModuleSettings[typeof id];
/** Addresses that are remembered, and looked up or told of at once: a slow registry must not keep the site from asking anybody else. */
const [mostKnown, mostAtOnce] = [10_000, 4];
const cleanFor = hour;

interface Verdict {
  readonly isBlocked: boolean;
  readonly until: number;
}

export function createNetwork(needs: Needs): Network {
  const { clock, events, settings, response, isRunning, lets, log } = needs;
  const registry =
    needs.base === undefined ? undefined : createRegistry({ ...needs, base: needs.base, site: needs.url });
  settings.ahead(id, async ({ after }) => registered(registry, after));
  const known = new Map<string, Verdict>();
  const asking = new Set<string>();
  const telling = new Set<string>();
  const keysNow = (): Keys | undefined => {
    if (registry === undefined || !settings.isReady || !isRunning()) return undefined;
    const [key, secret] = [settings.of(id).api_key, settings.secret(id, 'api_secret')];
    return key === '' || secret === '' ? undefined : { key, secret };
  };
  const verdictOn = (address: string): Verdict | undefined => {
    const verdict = keysNow() && known.get(address);
    return verdict !== undefined && verdict.until > clock().getTime() ? verdict : undefined;
  };
  const look = async (address: string, keys: Keys): Promise<void> => {
    const seconds = await registry?.ask(address, keys).finally(() => asking.delete(address));
    if (seconds === undefined) return;
    known.delete(address);
    known.set(address, { isBlocked: seconds > 0, until: clock().getTime() + (seconds * second || cleanFor) });
    if (known.size > mostKnown) known.delete(known.keys().next().value!);
  };
  const write = (code: string, type: Event['type'], address: string, login: string): void =>
    log({ module: 'ipcheck', code, type, data: { ip: address, username: login } });
  return {
    check: {
      attempt({ from, login }) {
        if (verdictOn(from)?.isBlocked !== true || !settings.of(id).enable_ban || lets(from)) return;
        write('ip-blocked', 'action', from, login);
        throw response.refused({ kind: 'network' }, undefined);
      },
      failed({ from, login }) {
        const verdict = verdictOn(from);
        if (verdict?.isBlocked) write('failed-login-by-blocked-ip', 'notice', from, login);
        const keys = keysNow();
        if (verdict !== undefined || keys === undefined || !isPublicIp(from)) return;
        if (asking.has(from) || asking.size >= mostAtOnce) return;
        asking.add(from);
        events.follow('login.failed', () => look(from, keys));
      },
      entering(_user, { from, login }) {
        if (verdictOn(from)?.isBlocked) write('successful-login-by-blocked-ip', 'critical-issue', from, login);
      },
    },
    async reported(address) {
      const keys = keysNow();
      if (keys === undefined || !isPublicIp(address)) return;
      if (telling.has(address) || telling.size >= mostAtOnce) return;
      telling.add(address);
      await registry?.report(address, keys).finally(() => telling.delete(address));
    },
  };
}

/** An address that is saved registers the site, and is not kept. */
async function registered(
  registry: Registry | undefined,
  { email, updates_optin }: NetworkSettings,
): Promise<Partial<NetworkSettings>> {
  if (email === null || email === '') return {};
  if (registry === undefined) throw networkErrors.unavailable();
  const keys = await registry.register(email, updates_optin);
  if (typeof keys === 'string') throw networkErrors.refused(keys);
  return { api_key: keys.key, api_secret: keys.secret, email: null };
}

interface Keys {
  readonly key: string;
  readonly secret: string;
}

/** The registry that sites share addresses of attackers by. The site asks only a registry that the operator named. */
interface Registry {
  /** Keys for this site; a sentence says why there are none. */
  register(email: string, updates: boolean): Promise<Keys | string>;
  /** For how many seconds it stays on the list; 0 where it is not on it, nothing where nobody says. */
  ask(address: string, keys: Keys): Promise<number | undefined>;
  /** It was locked out here. */
  report(address: string, keys: Keys): Promise<void>;
}

interface RegistryDeps {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** Where it is. */
  readonly base: string;
  /** The address of the site. */
  readonly site: string;
}

const longest = 86_400;

function createRegistry({ outgoing, base, site }: RegistryDeps): Registry {
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
      if (said === undefined) return 'The shared blocklist does not answer. Try again in a few minutes.';
      const { key, secret, message } = said;
      if (isKey(key) && isKey(secret)) return { key, secret };
      return typeof message === 'string' && message !== ''
        ? printable(message.slice(0, 300))
        : 'The shared blocklist gave no keys for this site.';
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
