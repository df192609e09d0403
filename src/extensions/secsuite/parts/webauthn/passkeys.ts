// Passkeys: both ceremonies, the exchange of a verified passkey for a session, and what owners do with theirs. No word of HTTP here.
import { isIP } from 'node:net';
import { note, ok, type Seen, warning } from '#site/health/check.ts';
import type { User } from '#site/identity/users/user.ts';
import { flag, instant } from '#store/columns.ts';
import {
  createContext,
  type PasskeyContext,
  type PasskeyDeps,
  type PasskeyServices,
  withoutPadding,
} from './context.ts';
import {
  countForeign,
  deleteAllOf,
  deleteCredential,
  ensureHandle,
  findCredential,
  findHandle,
  isTrashed,
  listCredentials,
  purge,
  updateCredential,
} from './credentials.ts';
import { webauthnErrors } from './errors.ts';
import { createRegistration } from './registration.ts';
import type { Credential } from './tables.ts';
import { createVerification, type VerifiedPayload } from './verification.ts';

export type Passkeys = ReturnType<typeof createPasskeys>;

export function createPasskeys(services: PasskeyServices, deps: PasskeyDeps) {
  const context = createContext(services, deps);
  const { store, clock } = context;
  return {
    /** The host that they work at. */
    host: context.rpId,
    ...createRegistration(context),
    ...createVerification(context),
    ...createExchange(context),
    ...createOwning(context),
    forgetUser: (user: Pick<User, 'id'>) => store.write((tx) => deleteAllOf(tx, user.id)),
    purge: () => store.write((tx) => purge(tx, clock())),
    look: () => look(context),
  };
}

/** Whom a passkey signs in. */
function createExchange({ store, settings, switches, matches, tokens, isSuiteOn, tokenOf, emails }: PasskeyContext) {
  const passwordless = () => settings.of('passwordless-login');
  const isOffered = (): boolean =>
    isSuiteOn &&
    switches.isRunning('webauthn') &&
    switches.isRunning('passwordless-login') &&
    passwordless().methods.includes('webauthn');
  /** An empty list is that of a site that has set up no groups: then everybody may. */
  const isInGroup = (user: User): boolean => {
    const { group } = passwordless();
    return group.length === 0 || matches(group, user);
  };
  const hasAllowed = async (user: User): Promise<boolean> => {
    const chosen = (await findHandle(store.db, user.id))?.allowed ?? null;
    return chosen === null ? passwordless().availability === 'enabled' : chosen === 1;
  };
  return {
    /** Whether the site lets anybody sign in with a passkey. */
    isOffered,
    isInGroup,
    /** Whether the user lets passkeys sign them in. */
    hasAllowed,
    async allow(user: User, isAllowed: boolean): Promise<void> {
      const isChanged = isAllowed !== (await hasAllowed(user));
      await store.write(async (tx) => {
        await ensureHandle(tx, user.id);
        const row = tx.updateTable('secsuite_webauthn_users').set({ allowed: flag(isAllowed) });
        await row.where('user_id', '=', user.id).execute();
      });
      if (isChanged) await emails.allowed(user, isAllowed);
    },
    /** Uses the verified token of a sign-in form up. */
    async prove(user: User | undefined, form: Readonly<Record<string, unknown>>): Promise<User> {
      if (!isOffered()) throw webauthnErrors.passwordlessLoginInvalidMethod();
      const token = typeof form.token === 'string' ? form.token : '';
      const found = await tokenOf(token, 'verified', () => true);
      const isMine = await store.write((tx) => tokens.consume(tx, token));
      if (!isMine) throw webauthnErrors.webauthnTokenNotFound();
      if (user === undefined || found.user !== user.id) throw webauthnErrors.webauthnInvalidTokenUser();
      if (!isInGroup(user) || !(await hasAllowed(user))) throw webauthnErrors.passwordlessLoginNotAllowed();
      const credential = await findCredential(store.db, (found.payload as VerifiedPayload).credential);
      if (credential === undefined || isTrashed(credential)) throw webauthnErrors.authenticationNotAllowed();
      return user;
    },
  };
}

interface CredentialChange {
  readonly label?: string | undefined;
  readonly status?: 'active' | 'trash' | undefined;
}

function createOwning({ store, clock, identity, emails }: PasskeyContext) {
  const tell = async (change: 'removed' | 'restored', credential: Credential): Promise<void> => {
    const owner = await identity.users.find(credential.user_id);
    if (owner !== undefined) await emails[change](owner, credential);
  };
  const trashedAt = ({ trashed_at }: Credential, status: CredentialChange['status']): string | null => {
    if (status === 'active') return null;
    return status === 'trash' ? (trashed_at ?? instant(clock())) : trashed_at;
  };
  const list = (user: Pick<User, 'id'>) => listCredentials(store.db, user.id);
  async function change({ credential_id: id }: Credential, { label, status }: CredentialChange): Promise<Credential> {
    const { before, after } = await store.write(async (tx) => {
      const before = await findCredential(tx, id);
      if (before === undefined) throw webauthnErrors.credentialNotFound(id);
      const values = { label: label ?? before.label, trashed_at: trashedAt(before, status) };
      return { before, after: (await updateCredential(tx, before.id, values))! };
    });
    if (isTrashed(after) !== isTrashed(before)) await tell(isTrashed(after) ? 'removed' : 'restored', after);
    return after;
  }
  return {
    list,
    get: (id: string) => findCredential(store.db, withoutPadding(id)),
    change,
    /** Puts those into the trash that were added since then. */
    async trashSince(user: Pick<User, 'id'>, since: string): Promise<void> {
      for (const one of await list(user))
        if (!isTrashed(one) && one.created_at >= since) await change(one, { status: 'trash' });
    },
    async remove({ credential_id }: Credential): Promise<void> {
      const before = await store.write(async (tx) => {
        const found = await findCredential(tx, credential_id);
        if (found !== undefined) await deleteCredential(tx, found.id);
        return found;
      });
      if (before !== undefined && !isTrashed(before)) await tell('removed', before);
    },
  };
}

async function look({ store, rpId, switches }: PasskeyContext): Promise<Seen> {
  if (!switches.isRunning('webauthn')) return note('the module is off, or the site has no HTTPS');
  if (isIP(rpId.replace(/^\[|\]$/g, '')) !== 0)
    return warning(
      `browsers accept none, because the site is at the IP address ${rpId}`,
      'Set GATEHOUSE_URL to a URL with a host name.',
    );
  return (await lookForForeign(store.db, rpId)) ?? ok(`they work at ${rpId}`);
}

/** A warning, if the host of the site was changed. */
export async function lookForForeign(db: PasskeyContext['store']['db'], rpId: string): Promise<Seen | undefined> {
  const foreign = await countForeign(db, rpId);
  if (foreign.length === 0) return undefined;
  const said = foreign.map(({ host, many }) => `${many} of them ${many === 1 ? 'works' : 'work'} only at ${host}`);
  return warning(
    `${said.join(', ')}, because GATEHOUSE_URL was changed to ${rpId}`,
    'Set GATEHOUSE_URL to the former host. Or ask their owners to sign in with a password and to add a passkey again. "gatehouse user set-password NAME" sets a password for a user who has none.',
  );
}
