// People put together: who they are, how they sign in, what is cleared away and what they are told by email.
import type { Mail } from '../email/mail.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Platform, PlatformOptions } from '../platform/open.ts';
import { createClients } from './clients.ts';
import { createIdentity } from './identity.ts';
import { sendNotices } from './notices.ts';
import { createProxyWatch } from './proxy-watch.ts';
import type { Roles } from './roles.ts';
import { createSessionKey } from './session-key.ts';
import { sweepIdentity } from './sweeping.ts';

interface IdentityOptions extends Pick<PlatformOptions, 'config'> {
  readonly roles: Roles;
  /** How long a refused sign-in takes at least, in milliseconds. */
  readonly refusalTakes?: number | undefined;
}

/** Longer than the oldest kind of password hash takes to check. */
const usualRefusal = 500;

export function openIdentity(
  needs: Platform & { readonly jobs: Jobs; readonly mail: Mail },
  { config, roles, refusalTakes = usualRefusal }: IdentityOptions,
) {
  const { allowInsecureCredentials, basicForeign, secret, trustProxy } = config;
  const ignoreForeign = basicForeign === 'ignore';
  sendNotices(needs);
  sweepIdentity(needs);
  return {
    identity: createIdentity({ ...needs, roles, allowInsecureCredentials, ignoreForeign, refusalTakes }),
    sessionKey: createSessionKey(needs.store, secret, needs.keys),
    /** Whose request it is. */
    clients: createClients(trustProxy, createProxyWatch(needs.log)),
  };
}
