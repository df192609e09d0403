// Proving with a passkey who signs in. What it leads to is a token that the sign-in form takes in place of a password.
import { Problem } from '#kernel/problem.ts';
import { networkOf } from '#lib/ip-address.ts';
import { hour } from '#lib/spans.ts';
import type { User } from '#site/identity/users/user.ts';
import { outgoingErrors } from '#site/outgoing/errors.ts';
import { flag, instant } from '#store/columns.ts';
import { type Asserted, CeremonyError, checkAssertion, isCountAhead } from './ceremony.ts';
import { type CeremonyOptions, descriptorOf, type PasskeyContext, partsIn, type SentCredential } from './context.ts';
import { base64url, bytesOf, findCredential, findHandle, isTrashed, listCredentials } from './credentials.ts';
import { authenticationFaults, webauthnErrors } from './errors.ts';
import type { Credential } from './tables.ts';

/** What a verified token keeps. */
export interface VerifiedPayload {
  readonly credential: string;
}

/** Of one network. Any visitor can begin, and each beginning is a row that is kept for 7 days. */
const maxStartsInAnHour = 1_000;
const tooManyStarts = 'Passkeys were asked for more than 1,000 times within an hour from your network. Wait an hour.';

export function createVerification(context: PasskeyContext) {
  const { store, tokens, rateLimits, identity, isVerificationRequired, newOptions } = context;
  const userNamed = createUserNamed(context);
  return {
    async startVerification(name: string, from: string) {
      const user = name === '' ? undefined : await userNamed(name);
      if (name !== '' && user === undefined) await refuseUnknown(context, name, from);
      const all = user === undefined ? [] : await listCredentials(store.db, user.id);
      const active = all.filter((one) => !isTrashed(one));
      const allowed = active.map(({ credential_id }) => credential_id);
      const options = newOptions(isVerificationRequired(), allowed);
      const token = await store.write(async (tx) => {
        const isFew = await rateLimits.take(`passkey sign-ins ${networkOf(from)}`, maxStartsInAnHour, hour);
        return isFew ? tokens.insert(tx, 'request', user?.id ?? null, options) : undefined;
      });
      if (token === undefined) throw outgoingErrors.tooManyRequests(tooManyStarts);
      return {
        token,
        options: {
          challenge: options.challenge,
          rpId: options.rpId,
          allowCredentials: active.map(descriptorOf),
          userVerification: options.requiresVerification ? 'required' : 'preferred',
        },
      };
    },
    /** The attempt uses the token up, whatever comes of it. */
    async finishVerification(name: string, token: string, sent: SentCredential, from: string) {
      await identity.checks.attempt(attemptOf(undefined, from));
      const named = name === '' ? undefined : await userNamed(name);
      if (name !== '' && named === undefined) await refuseUnknown(context, name, from);
      const { payload } = await context.tokenOf(token, 'request', () => true);
      const outcome = await outcomeOf(context, sent, payload as CeremonyOptions, named);
      const concluded = await conclude(context, token, outcome);
      if (concluded instanceof CeremonyRefusal) {
        await tellCopied(context, concluded);
        await identity.signIn.failed({ ...attemptOf(named, from), reason: 'incorrect_passkey' });
        throw concluded.problem;
      }
      if (concluded instanceof Problem) throw concluded;
      const owner = await identity.users.find(concluded.owner);
      if (owner === undefined) throw webauthnErrors.authenticationFailed();
      return { token: concluded.verified, user: identifierOf(context, owner) };
    },
  };
}

/** Which names may be used to sign in: a setting of the module `core-tweaks`. */
const loginKindOf = ({ switches, settings }: PasskeyContext) =>
  switches.isRunning('core-tweaks') ? settings.of('core-tweaks').valid_user_login_type : 'both';

/** Longer than any login or email address. */
const maxNameLength = 320;

function createUserNamed(context: PasskeyContext) {
  return async (name: string): Promise<User | undefined> => {
    const kind = loginKindOf(context);
    const user = await context.identity.users.named(name.slice(0, maxNameLength));
    if (kind === 'both' || user === undefined) return user;
    const isLogin = user.login.toLowerCase() === name.toLowerCase();
    return (kind === 'username') === isLogin ? user : undefined;
  };
}

const identifierOf = (context: PasskeyContext, { login, email }: User): string =>
  loginKindOf(context) === 'email' ? email : login;

/** `isRight`: only the IP address is judged, because a lockout of an account is about its password. */
const attemptOf = (user: User | undefined, from: string, login = user?.login ?? '') =>
  ({ login, user, by: 'webauthn', from, isRight: true }) as const;

async function refuseUnknown({ identity }: PasskeyContext, name: string, from: string): Promise<never> {
  const login = /^[\w .@+'-]{1,60}$/.test(name) ? name : '';
  const reason = name.includes('@') ? 'invalid_email' : 'invalid_username';
  await identity.signIn.failed({ ...attemptOf(undefined, from, login), reason });
  throw webauthnErrors.webauthnUserNotFound();
}

/** A failure that counts towards lockouts: from the first check of the passkey on. */
class CeremonyRefusal extends Error {
  readonly problem: Problem;
  /** The passkey, if its counter ran back. */
  readonly copied: Credential | undefined;

  constructor(problem: Problem, copied?: Credential) {
    super(problem.message);
    this.problem = problem;
    this.copied = copied;
  }
}

interface Assured {
  readonly known: Credential;
  readonly asserted: Asserted;
}

type Outcome = Assured | CeremonyRefusal | Problem;

async function outcomeOf(
  context: PasskeyContext,
  sent: SentCredential,
  options: CeremonyOptions,
  named: User | undefined,
): Promise<Outcome> {
  try {
    const answer = assertionIn(sent);
    const known = await knownCredential(context, answer, options, named);
    const stored = { publicKey: Buffer.from(known.public_key, 'base64url'), signCount: known.sign_count };
    const asserted = await checkAssertion(answer, context.expectedOf(options), stored).catch((error) => {
      throw error instanceof CeremonyError ? faultOf(context, error, known) : error;
    });
    return { known, asserted };
  } catch (error) {
    if (error instanceof Problem || error instanceof CeremonyRefusal) return error;
    throw error;
  }
}

function faultOf({ logFailure }: PasskeyContext, error: CeremonyError, known: Credential): CeremonyRefusal {
  const isCopied = error.fault === 'invalid-sign-count';
  const data = { credential: known.credential_id, user_id: known.user_id, fault: error.fault };
  if (isCopied || error.fault === 'failed') logFailure('authentication-ceremony-failed', error, data);
  const problem = (authenticationFaults[error.fault] ?? webauthnErrors.authenticationFailed)();
  return new CeremonyRefusal(problem, isCopied ? known : undefined);
}

interface Answer {
  readonly id: string;
  readonly userHandle: string | undefined;
}

async function knownCredential(
  { store }: PasskeyContext,
  { id, userHandle }: Answer,
  { allowed }: CeremonyOptions,
  named: User | undefined,
): Promise<Credential> {
  if (allowed.length > 0 && !allowed.includes(id)) throw new CeremonyRefusal(webauthnErrors.authenticationNotAllowed());
  const known = await findCredential(store.db, id);
  if (known === undefined) throw new CeremonyRefusal(webauthnErrors.credentialNotFound(id));
  if (isTrashed(known)) throw new CeremonyRefusal(webauthnErrors.authenticationNotAllowed());
  const handle = (await findHandle(store.db, known.user_id))?.handle;
  if (named === undefined && userHandle === undefined) throw new CeremonyRefusal(webauthnErrors.authenticationNoUser());
  const isTheirs = named === undefined ? userHandle === handle : known.user_id === named.id;
  if (!isTheirs) throw new CeremonyRefusal(webauthnErrors.authenticationWrongUser());
  if (userHandle !== undefined && userHandle !== handle)
    throw new CeremonyRefusal(webauthnErrors.authenticationUserMismatch());
  return known;
}

function assertionIn(sent: SentCredential) {
  const parts = partsIn(sent, ['clientDataJSON', 'authenticatorData', 'signature']);
  const { userHandle } = sent.response;
  const isEmpty = userHandle === null || userHandle === '';
  const handle = isEmpty ? undefined : bytesOf(userHandle);
  if (parts === undefined || (!isEmpty && handle === undefined)) throw webauthnErrors.webauthnInvalidCredential();
  return { ...parts, userHandle: handle && base64url(handle) };
}

/**
 * Uses the token up, and keeps what the passkey says of itself in the same write. Of two answers at once, also in two processes, the second
 * finds the count of the first.
 */
const conclude = (context: PasskeyContext, token: string, outcome: Outcome) =>
  context.store.write(async (tx, { lock }) => {
    const { tokens, clock } = context;
    if (!(await tokens.consume(tx, token))) return webauthnErrors.webauthnTokenNotFound();
    if (outcome instanceof Problem || outcome instanceof CeremonyRefusal) return outcome;
    const { asserted, known } = outcome;
    await lock(`secsuite passkey ${known.id}`);
    const now = await findCredential(tx, known.credential_id);
    if (now === undefined || isTrashed(now)) return new CeremonyRefusal(webauthnErrors.authenticationNotAllowed());
    if (!isCountAhead(asserted.signCount, now.sign_count))
      return faultOf(context, new CeremonyError('invalid-sign-count'), now);
    await tx
      .updateTable('secsuite_webauthn_credentials')
      .set({
        sign_count: asserted.signCount,
        backup_eligible: flag(asserted.backupEligible),
        backed_up: flag(asserted.backedUp),
        last_used: instant(clock()),
      })
      .where('id', '=', now.id)
      .execute();
    const payload: VerifiedPayload = { credential: now.credential_id };
    return { owner: now.user_id, verified: await tokens.insert(tx, 'verified', now.user_id, payload) };
  });

/** A counter that runs back says that there are two of the key. */
async function tellCopied({ identity, emails }: PasskeyContext, { copied }: CeremonyRefusal): Promise<void> {
  const owner = copied && (await identity.users.find(copied.user_id));
  if (copied !== undefined && owner !== undefined) await emails.copied(owner, copied);
}
