// What both ceremonies of passkeys share: the relying party, their options and tokens, and what clients send.
import { randomBytes } from 'node:crypto';
import { kernelErrors } from '#kernel/errors.ts';
import type { Services } from '#site/extension.ts';
import type { Store } from '#store/store.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Settings } from '../../settings/types.ts';
import type { Switches } from '../../switches/switches.ts';
import { CeremonyError, type Expected } from './ceremony.ts';
import { base64url, bytesOf, createCeremonyTokens, type FoundToken } from './credentials.ts';
import { passkeyEmails } from './emails.ts';
import { webauthnErrors } from './errors.ts';
import type { Credential, TokenKind, WebauthnTables } from './tables.ts';

export type PasskeyServices = Pick<
  Services,
  'store' | 'clock' | 'keys' | 'identity' | 'site' | 'about' | 'mail' | 'log' | 'rateLimits'
>;

export interface PasskeyDeps {
  readonly settings: Pick<Settings, 'of'>;
  readonly switches: Pick<Switches, 'isRunning'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly matches: Matchables['matches'];
  /** While the operator has turned the suite off, nobody signs in with a passkey. */
  readonly isSuiteOn: boolean;
}

/** What a token of a ceremony keeps. */
export interface CeremonyOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly requiresVerification: boolean;
  /** Ids of the credentials that may answer; empty for any. */
  readonly allowed: readonly string[];
}

/** What clients send of a ceremony, as it came. */
export interface SentCredential {
  readonly id: string;
  readonly type: string;
  readonly response: Readonly<Record<string, unknown>>;
}

export type PasskeyContext = ReturnType<typeof createContext>;

export function createContext(services: PasskeyServices, deps: PasskeyDeps) {
  const store = services.store as unknown as Store<WebauthnTables>;
  const { hostname: rpId, origin } = new URL(services.site.url);
  const tokens = createCeremonyTokens(services);
  return {
    ...services,
    ...deps,
    store,
    rpId,
    tokens,
    emails: passkeyEmails(services),
    isVerificationRequired: () => deps.settings.of('passwordless-login').passkey_user_verification === 'required',
    newOptions: (requiresVerification: boolean, allowed: readonly string[] = []): CeremonyOptions => ({
      challenge: base64url(randomBytes(64)),
      rpId,
      requiresVerification,
      allowed,
    }),
    expectedOf: ({ allowed: _, ...options }: CeremonyOptions): Expected => ({ ...options, origins: [origin] }),
    logFailure(code: string, error: unknown, data: object = {}): void {
      const cause = error instanceof CeremonyError ? (error.cause ?? error.fault) : error;
      const why = cause instanceof Error ? cause.message : String(cause);
      deps.logs.write({ module: 'webauthn', code, type: 'error', data: { ...data, why } });
    },
    /** The token of a ceremony that may go on. */
    async tokenOf(token: string, kind: TokenKind, isTheirs: (found: FoundToken) => boolean): Promise<FoundToken> {
      if (!tokens.isWellFormed(token)) throw webauthnErrors.webauthnTokenInvalid();
      const found = await tokens.find(store.db, token);
      if (found === undefined) throw webauthnErrors.webauthnTokenNotFound();
      if (found.kind !== kind) throw webauthnErrors.webauthnTokenInvalid();
      if (!isTheirs(found)) throw kernelErrors.forbidden('finish what another user started');
      if (found.isExpired) throw webauthnErrors.webauthnTokenExpired();
      return found;
    },
  };
}

export const descriptorOf = ({ credential_id, transports }: Credential) => ({
  type: 'public-key',
  id: credential_id,
  transports: JSON.parse(transports) as string[],
});

export const withoutPadding = (id: string): string => id.replace(/=+$/, '');

/** Parts of a response that are bytes; undefined if one of them is not. */
export function partsIn<N extends string>(
  { id, type, response }: SentCredential,
  names: readonly N[],
): (Record<N, Buffer> & { readonly id: string }) | undefined {
  const bytes = names.map((name) => [name, bytesOf(response[name])] as const);
  const isWhole = type === 'public-key' && bytesOf(id) !== undefined && id !== '';
  if (!isWhole || bytes.some(([, value]) => value === undefined)) return undefined;
  return { ...(Object.fromEntries(bytes) as Record<N, Buffer>), id: withoutPadding(id) };
}
