// Addresses that attacked other sites: looked up after a wrong password, while nobody waits, and refused from then on.
import { Problem } from '#kernel/problem.ts';
import { isPublicIp } from '#lib/ip-address.ts';
import { hour, second } from '#lib/spans.ts';
import type { Services } from '#site/extension.ts';
import type { Check } from '#site/identity/checks.ts';
import type { LockResponse } from '../../lockouts/lock-response.ts';
import type { Event } from '../../logs/entry.ts';
import type { Settings, Values } from '../../settings/types.ts';
import { createRegistry, type Keys, type Registry } from './registry.ts';

interface NetworkSettings {
  readonly enable_ban: boolean;
  readonly api_key: string;
  readonly email: string | null;
  readonly updates_optin: boolean;
}

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
  settings.ahead(id, async ({ after }) => registered(registry, after as unknown as NetworkSettings));
  const known = new Map<string, Verdict>();
  const asking = new Set<string>();
  const telling = new Set<string>();
  const keysNow = (): Keys | undefined => {
    if (registry === undefined || !settings.isReady || !isRunning()) return undefined;
    const [key, secret] = [settings.of<NetworkSettings>(id).api_key, settings.secret(id, 'api_secret')];
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
        if (verdictOn(from)?.isBlocked !== true || !settings.of<NetworkSettings>(id).enable_ban || lets(from)) return;
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
async function registered(registry: Registry | undefined, { email, updates_optin }: NetworkSettings): Promise<Values> {
  if (email === null || email === '') return {};
  if (registry === undefined)
    throw new Problem(
      400,
      'secsuite.network-brute-force.unavailable',
      'Whoever runs this site has named no registry, so it cannot be registered.',
    );
  const keys = await registry.register(email, updates_optin);
  if (typeof keys === 'string') throw new Problem(400, 'secsuite.network-brute-force.refused', keys);
  return { api_key: keys.key, api_secret: keys.secret, email: null };
}
