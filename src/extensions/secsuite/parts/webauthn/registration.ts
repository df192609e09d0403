// Registering a passkey: the options that a browser is given, and what it makes of them.
import { Problem } from '#kernel/problem.ts';
import { hour } from '#lib/spans.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { User } from '#site/identity/users/user.ts';
import { outgoingErrors } from '#site/outgoing/errors.ts';
import { type AttestedCredential, algorithms, CeremonyError, checkAttestation, type Expected } from './ceremony.ts';
import { type CeremonyOptions, descriptorOf, type PasskeyContext, partsIn, type SentCredential } from './context.ts';
import { ensureHandle, insertCredential, isTrashed, listCredentials } from './credentials.ts';
import { registrationFaults, webauthnErrors } from './errors.ts';
import type { Credential } from './tables.ts';

export interface AuthenticatorSelection {
  readonly authenticatorAttachment?: string | undefined;
  readonly residentKey?: string | undefined;
  readonly userVerification?: string | undefined;
}

/** Who registers, and what asks again inside the write whether they still may. */
export interface Registrar {
  readonly user: User;
  readonly again?: Doing['again'];
}

export function createRegistration(context: PasskeyContext) {
  const { store, clock, tokens, emails } = context;
  return {
    async startRegistration(user: User, sent?: AuthenticatorSelection) {
      const selection = selectionOf(sent, context.isVerificationRequired());
      const options = context.newOptions(selection?.userVerification === 'required');
      const active = (await listCredentials(store.db, user.id)).filter((one) => !isTrashed(one));
      const { handle, token } = await prepared(context, user, options);
      return {
        token,
        options: {
          rp: { name: (await context.about()).title, id: context.rpId },
          user: { name: user.login, id: handle, displayName: user.name || user.login },
          challenge: options.challenge,
          pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
          excludeCredentials: active.map(descriptorOf),
          ...(selection && { authenticatorSelection: selection }),
          attestation: 'none',
        },
      };
    },
    /** The attempt uses the token up, whatever comes of it. The passkey is kept in the same write. */
    async finishRegistration({ user, again }: Registrar, token: string, sent: SentCredential, label: string) {
      const { payload } = await context.tokenOf(token, 'creation', ({ user: owner }) => owner === user.id);
      const options = payload as CeremonyOptions;
      const checked = await outcomeOf(context, user, sent, options);
      const made = await store.write(async (tx): Promise<Credential | Problem> => {
        if (!(await tokens.consume(tx, token))) return webauthnErrors.webauthnTokenNotFound();
        if (checked instanceof Problem) return checked;
        await again?.(tx as never, undefined);
        const row = { ...checked, user: user.id, rpId: options.rpId, label };
        return (await insertCredential(tx, row, clock())) ?? webauthnErrors.registrationDuplicateCredentialId();
      });
      if (made instanceof Problem) throw made;
      await emails.registered(user, made);
      return made;
    },
  };
}

function selectionOf(sent: AuthenticatorSelection | undefined, isRequired: boolean) {
  if (sent === undefined && !isRequired) return undefined;
  const { residentKey = 'discouraged', userVerification = 'preferred', authenticatorAttachment } = sent ?? {};
  return {
    residentKey,
    requireResidentKey: residentKey === 'required',
    userVerification: isRequired ? 'required' : userVerification,
    ...(authenticatorAttachment !== undefined && { authenticatorAttachment }),
  };
}

/** Of one user. */
const maxStartsInAnHour = 100;

const prepared = ({ store, tokens, rateLimits, logFailure }: PasskeyContext, { id }: User, options: CeremonyOptions) =>
  store
    .write(async (tx) => {
      const isFew = await rateLimits.take(`passkey registrations ${id}`, maxStartsInAnHour, hour);
      if (!isFew) throw outgoingErrors.tooManyRequests('You began to add 100 passkeys within an hour. Wait an hour.');
      return { handle: await ensureHandle(tx, id), token: await tokens.insert(tx, 'creation', id, options) };
    })
    .catch((error) => {
      if (error instanceof Problem) throw error;
      logFailure('user-entity::write-db-error', error);
      const also = { code: 'secsuite.webauthn.user-entity.write-db-error', message: 'The user handle was not stored.' };
      throw webauthnErrors.webauthnNoCreationOptions().with({}, { others: [also], cause: error });
    });

async function outcomeOf(context: PasskeyContext, user: User, sent: SentCredential, options: CeremonyOptions) {
  try {
    return await checkedAttestation(sent, context.expectedOf(options));
  } catch (error) {
    if (error instanceof Problem) return error;
    if (!(error instanceof CeremonyError)) throw error;
    const known = registrationFaults[error.fault];
    if (known === undefined) context.logFailure('registration-ceremony-failed', error, { user_id: user.id });
    return (known ?? webauthnErrors.registrationFailed)();
  }
}

async function checkedAttestation(
  sent: SentCredential,
  expected: Expected,
): Promise<AttestedCredential & { readonly transports: readonly string[] }> {
  const parts = partsIn(sent, ['clientDataJSON', 'attestationObject']);
  const { transports = [] } = sent.response;
  if (parts === undefined || !isTransports(transports)) throw webauthnErrors.webauthnInvalidNewCredential();
  return { ...(await checkAttestation(parts, expected)), transports };
}

const isTransports = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= 10 &&
  value.every((one) => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one));
