// Tokens in the mails of scans. With one, its reader may see the results and mute issues without signing in, for a week.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { readJson } from '#kernel/args/json.ts';
import type { Caller } from '#kernel/caller.ts';
import { defineError } from '#kernel/problem.ts';
import { day } from '#lib/spans.ts';
import type { Credential } from '#site/identity/credential.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Manage } from '../../groups/manage.ts';

const sentence = 'The token of this link is not valid. Sign in, or ask for another scan.';

export const tokenErrors = {
  tokenUnreadable: defineError(401, 'secsuite_site_scanner_invalid_token', sentence),
  tokenExpired: defineError(401, 'secsuite_site_scanner_expired_token', 'The token of this link has expired. Sign in.'),
  invalidGrant: defineError(401, 'secsuite_site_scanner_invalid_grant', sentence),
  missingGrant: defineError(401, 'secsuite_site_scanner_muted_auth_missing_grant', sentence),
  missingUser: defineError(401, 'secsuite_site_scanner_muted_auth_missing_user', sentence),
  invalidUser: defineError(401, 'secsuite_site_scanner_muted_auth_invalid_user', sentence),
};

interface MailTokenDeps {
  /** The key of the site that others are derived from. */
  readonly encryption: Buffer;
  readonly clock: Clock;
  readonly roles: Roles;
  readonly users: { find(id: number): Promise<User | undefined> };
  readonly manage: Pick<Manage, 'isManager'>;
}

export type MailTokens = ReturnType<typeof createMailTokens>;

const grant = 'secsuite-site-scanner-manage-scan';
const life = 7 * day;
const longest = 4_096;
const header = encode({ alg: 'HS256', typ: 'JWT' });

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function refuseUnfit({ nbf, exp, grant: given, user }: Readonly<Record<string, unknown>>, now: number): void {
  if (typeof nbf !== 'number' || typeof exp !== 'number') throw tokenErrors.tokenUnreadable();
  if (now < nbf || now >= exp) throw tokenErrors.tokenExpired();
  if (given === undefined) throw tokenErrors.missingGrant();
  if (given !== grant) throw tokenErrors.invalidGrant();
  if (user === undefined) throw tokenErrors.missingUser();
}

/** JSON Web Tokens, https://www.rfc-editor.org/rfc/rfc7519, of one algorithm. */
export function createMailTokens({ encryption, clock, roles, users, manage }: MailTokenDeps) {
  const key = Buffer.from(hkdfSync('sha256', encryption, '', grant, 32));
  const signed = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const claimsIn = (token: string): Readonly<Record<string, unknown>> => {
    const [head = '', claims = '', signature = '', ...more] = token.slice(0, longest).split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = signed(`${head}.${claims}`);
    if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
      throw tokenErrors.tokenUnreadable();
    if (head !== header) throw tokenErrors.tokenUnreadable();
    return Object(readJson(Buffer.from(claims, 'base64url'))) as Record<string, unknown>;
  };
  return {
    make(user: number): string {
      const now = Math.floor(clock().getTime() / 1_000);
      const text = `${header}.${encode({ nbf: now, iat: now, exp: now + life / 1_000, grant, user })}`;
      return `${text}.${signed(text).toString('base64url')}`;
    },

    /** The user it names, as long as they manage the security of the site. */
    async callerOf(token: string): Promise<Caller> {
      const claims = claimsIn(token);
      refuseUnfit(claims, clock().getTime() / 1_000);
      const { user: id } = claims;
      const user = typeof id === 'number' ? await users.find(id) : undefined;
      if (user === undefined || !manage.isManager(user)) throw tokenErrors.invalidUser();
      const held = roles.capabilitiesOf(user.roles);
      const credential: Credential = { kind: 'token', user };
      return { id: user.id, can: (capability) => held.has(capability), credential };
    },
  };
}

/** Of a request that brings such a token in place of a user name and password. */
export async function tokenCaller(
  { headers }: { readonly headers: Readonly<Record<string, string | undefined>> },
  { mailTokens }: { readonly mailTokens: Pick<MailTokens, 'callerOf'> },
): Promise<Caller | undefined> {
  const token = /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : mailTokens.callerOf(token);
}
