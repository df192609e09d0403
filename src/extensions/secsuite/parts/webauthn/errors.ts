// Errors of passkeys.
import { defineError, type ErrorDefinition } from '#kernel/problem.ts';
import type { CeremonyFault } from './ceremony.ts';

const again = 'Start again.';
const wrongType = (wanted: string) => `\`clientDataJSON\` must have the type \`${wanted}\`. ${again}`;
const wrongChallenge = `The challenge is not the one that this site sent. ${again}`;
const wrongOrigin = 'The passkey was used on another site. Open this site at its own URL.';
const wrongRpId = 'The passkey is for another host than this site has.';
const notPresent = `The device did not confirm that you are there. ${again}`;
const notVerified =
  'This site needs a passkey that checks your finger, your face or a PIN. Set one up on your device, or use another device.';

export const webauthnErrors = {
  webauthnTokenInvalid: defineError(400, 'secsuite-opaque-token-invalid', `\`token\` is not valid. ${again}`),
  webauthnTokenNotFound: defineError(
    400,
    'secsuite-opaque-token-not-found',
    `This \`token\` does not exist, or it was used. ${again}`,
  ),
  webauthnTokenExpired: defineError(400, 'secsuite-opaque-token-expired', `This \`token\` has expired. ${again}`),

  webauthnNoCreationOptions: defineError(
    500,
    'secsuite.webauthn.creation-options.error',
    'The registration of a passkey could not be prepared. Try again.',
  ),
  webauthnInvalidNewCredential: defineError(
    400,
    'secsuite.webauthn.rest.register-credential.invalid-credential',
    '`credential` must be a public key credential with `clientDataJSON` and `attestationObject` in base64url.',
  ),
  registrationInvalidType: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.invalid-type',
    wrongType('webauthn.create'),
  ),
  registrationInvalidChallenge: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.invalid-challenge',
    wrongChallenge,
  ),
  registrationInvalidOrigin: defineError(400, 'secsuite.webauthn.registration-ceremony.invalid-origin', wrongOrigin),
  registrationRpIdHashMismatch: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.rp-id-hash-mismatch',
    wrongRpId,
  ),
  registrationUserNotPresent: defineError(400, 'secsuite.webauthn.registration-ceremony.user-not-present', notPresent),
  registrationUserNotVerified: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.user-not-verified',
    notVerified,
  ),
  registrationNoAlg: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.no-alg',
    'The public key does not name its algorithm.',
  ),
  registrationInvalidAlg: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.invalid-alg',
    'This site accepts only keys for ES256 and RS256.',
  ),
  registrationInvalidAttestation: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.invalid-attestation-stmt-type',
    'The attestation has an unknown format.',
  ),
  registrationMissingCredentialId: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.missing-credential-id',
    'The new passkey has no id.',
  ),
  registrationCredentialIdTooLong: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.credential-id-too-long',
    'The id of the new passkey is longer than 1023 bytes.',
  ),
  registrationDuplicateCredentialId: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.duplicate-credential-id',
    'This passkey is registered already. It may be in the trash of your passkeys.',
  ),
  registrationFailed: defineError(
    400,
    'secsuite.webauthn.registration-ceremony.failed',
    `The answer of the device could not be read. ${again}`,
  ),

  webauthnUserNotFound: defineError(
    400,
    'secsuite.webauthn.rest.verify-credential.user-not-found',
    'This user does not exist.',
  ),
  webauthnInvalidCredential: defineError(
    400,
    'secsuite.webauthn.rest.verify-credential.invalid-credential',
    '`credential` must be a public key credential with `clientDataJSON`, `authenticatorData`, `signature` and `userHandle` in base64url.',
  ),
  authenticationNotAllowed: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.credential-not-allowed',
    'This passkey cannot be used to sign in.',
  ),
  authenticationWrongUser: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.wrong-credential-for-user',
    'This passkey belongs to another user.',
  ),
  authenticationUserMismatch: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.user-mismatch',
    'This passkey was made for another user.',
  ),
  authenticationNoUser: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.no-user-identified',
    'The passkey does not name its user. Send `user`.',
  ),
  authenticationInvalidType: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.invalid-type',
    wrongType('webauthn.get'),
  ),
  authenticationInvalidChallenge: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.invalid-challenge',
    wrongChallenge,
  ),
  authenticationInvalidOrigin: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.invalid-origin',
    wrongOrigin,
  ),
  authenticationRpIdHashMismatch: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.rp-id-hash-mismatch',
    wrongRpId,
  ),
  authenticationUserNotPresent: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.user-not-present',
    notPresent,
  ),
  authenticationUserNotVerified: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.user-not-verified',
    notVerified,
  ),
  authenticationInvalidSignature: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.invalid-signature',
    'The signature of the passkey is wrong.',
  ),
  authenticationInvalidSignCount: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.invalid-sign-count',
    'This passkey seems to be a copy. Sign in another way, and remove it from your passkeys.',
  ),
  authenticationFailed: defineError(
    400,
    'secsuite.webauthn.authentication-ceremony.failed',
    `The answer of the device could not be read. ${again}`,
  ),

  credentialNotFound: defineError(
    404,
    'secsuite.webauthn.credential-record-repository.not-found',
    (id: string) => `Passkey ${id} does not exist.`,
  ),
  credentialNotViewable: defineError(
    403,
    'secsuite.webauthn.rest.credentials.cannot-view',
    'This passkey belongs to another user.',
  ),

  webauthnInvalidTokenUser: defineError(
    400,
    'secsuite.webauthn.verified-credential-tokens.invalid-user',
    'This passkey belongs to another user.',
  ),
  passwordlessLoginNotAllowed: defineError(
    400,
    'secsuite-passwordless-login-not-allowed',
    'This account cannot sign in with a passkey. Sign in with your password.',
  ),
  passwordlessLoginInvalidMethod: defineError(
    400,
    'secsuite-passwordless-login-invalid-method',
    'This site does not accept passkeys at the moment. Sign in with your password.',
  ),
};

type Faults = Readonly<Partial<Record<CeremonyFault, ErrorDefinition<[]>>>>;

export const registrationFaults: Faults = {
  'invalid-type': webauthnErrors.registrationInvalidType,
  'invalid-challenge': webauthnErrors.registrationInvalidChallenge,
  'invalid-origin': webauthnErrors.registrationInvalidOrigin,
  'rp-id-hash-mismatch': webauthnErrors.registrationRpIdHashMismatch,
  'user-not-present': webauthnErrors.registrationUserNotPresent,
  'user-not-verified': webauthnErrors.registrationUserNotVerified,
  'no-alg': webauthnErrors.registrationNoAlg,
  'invalid-alg': webauthnErrors.registrationInvalidAlg,
  'invalid-attestation-stmt-type': webauthnErrors.registrationInvalidAttestation,
  'missing-credential-id': webauthnErrors.registrationMissingCredentialId,
  'credential-id-too-long': webauthnErrors.registrationCredentialIdTooLong,
};

export const authenticationFaults: Faults = {
  'invalid-type': webauthnErrors.authenticationInvalidType,
  'invalid-challenge': webauthnErrors.authenticationInvalidChallenge,
  'invalid-origin': webauthnErrors.authenticationInvalidOrigin,
  'rp-id-hash-mismatch': webauthnErrors.authenticationRpIdHashMismatch,
  'user-not-present': webauthnErrors.authenticationUserNotPresent,
  'user-not-verified': webauthnErrors.authenticationUserNotVerified,
  'invalid-signature': webauthnErrors.authenticationInvalidSignature,
  'invalid-sign-count': webauthnErrors.authenticationInvalidSignCount,
};
