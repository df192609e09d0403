// What browsers and authenticators answer, held against what was asked. The order of the checks is part of the interface.
import { createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';

/** What a ceremony asked for. */
export interface Expected {
  /** base64url. */
  readonly challenge: string;
  readonly rpId: string;
  readonly origins: readonly string[];
  readonly requiresVerification: boolean;
}

export interface Attestation {
  readonly clientDataJSON: Buffer;
  readonly attestationObject: Buffer;
}

export interface Assertion {
  readonly clientDataJSON: Buffer;
  readonly authenticatorData: Buffer;
  readonly signature: Buffer;
}

export interface AttestedCredential {
  readonly id: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

export type Asserted = Pick<AttestedCredential, 'signCount' | 'backedUp' | 'backupEligible'>;

/** `failed` is everything that could not be read. */
export type CeremonyFault =
  | 'failed'
  | 'invalid-type'
  | 'invalid-challenge'
  | 'invalid-origin'
  | 'rp-id-hash-mismatch'
  | 'user-not-present'
  | 'user-not-verified'
  | 'no-alg'
  | 'invalid-alg'
  | 'invalid-attestation-stmt-type'
  | 'missing-credential-id'
  | 'credential-id-too-long'
  | 'invalid-signature'
  | 'invalid-sign-count';

export class CeremonyError extends Error {
  readonly fault: CeremonyFault;

  constructor(fault: CeremonyFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}

/** ES256 and RS256, in the order in which browsers prefer them. */
export const algorithms = [-7, -257] as const;
const maxCredentialIdLength = 1023;
const minRsaBits = 2048;
/** In bytes: more than an RSA key of 16,384 bits takes. */
const maxPublicKeyLength = 2500;

/** Loaded with the first ceremony, because the package takes longer than most of the program. */
const helpers = () => import('@simplewebauthn/server/helpers');

export const checkAttestation = (sent: Attestation, expected: Expected): Promise<AttestedCredential> =>
  orFailed(async () => {
    const { cose, decodeAttestationObject, parseAuthenticatorData } = await helpers();
    checkClientData(sent.clientDataJSON, 'webauthn.create', expected);
    const object = decodeAttestationObject(new Uint8Array(sent.attestationObject));
    const data = parseAuthenticatorData(object.get('authData'));
    checkFlags(data, expected);
    const { credentialID: id = new Uint8Array(), credentialPublicKey: publicKey, counter, flags } = data;
    const algorithm = publicKey && (await coseKeyOf(publicKey)).get(cose.COSEKEYS.alg);
    if (publicKey === undefined || algorithm === undefined) throw new CeremonyError('no-alg');
    if (!algorithms.some((one) => one === algorithm)) throw new CeremonyError('invalid-alg');
    // Any format is taken and no statement is looked at, because `none` was asked for.
    if (typeof object.get('fmt') !== 'string' || !isMap(object.get('attStmt')))
      throw new CeremonyError('invalid-attestation-stmt-type');
    if (id.length === 0) throw new CeremonyError('missing-credential-id');
    if (id.length > maxCredentialIdLength) throw new CeremonyError('credential-id-too-long');
    if (publicKey.length > maxPublicKeyLength)
      throw new Error(`A public key of ${publicKey.length} bytes is too long.`);
    await keyOf(publicKey);
    return {
      id: Buffer.from(id),
      publicKey: Buffer.from(publicKey),
      signCount: counter,
      backupEligible: flags.be,
      backedUp: flags.bs,
    };
  });

interface KnownCredential {
  readonly publicKey: Buffer;
  readonly signCount: number;
}

export const checkAssertion = (sent: Assertion, expected: Expected, known: KnownCredential): Promise<Asserted> =>
  orFailed(async () => {
    const { parseAuthenticatorData } = await helpers();
    checkClientData(sent.clientDataJSON, 'webauthn.get', expected);
    const data = parseAuthenticatorData(new Uint8Array(sent.authenticatorData));
    checkFlags(data, expected);
    const key = await keyOf(known.publicKey);
    const signed = Buffer.concat([sent.authenticatorData, sha256(sent.clientDataJSON)]);
    if (!isSignature(sent.signature, signed, key)) throw new CeremonyError('invalid-signature');
    if (!isCountAhead(data.counter, known.signCount)) throw new CeremonyError('invalid-sign-count');
    return { signCount: data.counter, backupEligible: data.flags.be, backedUp: data.flags.bs };
  });

/** Authenticators that do not count report 0. */
export const isCountAhead = (reported: number, stored: number): boolean => reported === 0 || reported > stored;

async function orFailed<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CeremonyError ? error : new CeremonyError('failed', { cause: error });
  }
}

/** Bytes that are not UTF-8 are refused, not repaired. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function checkClientData(bytes: Buffer, type: string, { challenge, origins }: Expected): void {
  const data: unknown = JSON.parse(utf8.decode(bytes));
  const said = (name: 'type' | 'challenge' | 'origin'): string => {
    const value = (data as Record<string, unknown> | null)?.[name];
    if (typeof value !== 'string') throw new Error(`The client data has no ${name}.`);
    return value;
  };
  const [saidType, saidChallenge, saidOrigin] = [said('type'), said('challenge'), said('origin')];
  if (saidType !== type) throw new CeremonyError('invalid-type');
  const [is, was] = [saidChallenge, challenge].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer];
  if (is.length !== was.length || !timingSafeEqual(is, was)) throw new CeremonyError('invalid-challenge');
  if (!origins.includes(saidOrigin)) throw new CeremonyError('invalid-origin');
}

interface AuthenticatorData {
  readonly rpIdHash: Uint8Array;
  readonly flags: { readonly up: boolean; readonly uv: boolean };
}

function checkFlags({ rpIdHash, flags }: AuthenticatorData, { rpId, requiresVerification }: Expected): void {
  if (!sha256(Buffer.from(rpId)).equals(rpIdHash)) throw new CeremonyError('rp-id-hash-mismatch');
  if (!flags.up) throw new CeremonyError('user-not-present');
  if (requiresVerification && !flags.uv) throw new CeremonyError('user-not-verified');
}

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
const isMap = (value: unknown): value is Map<unknown, unknown> => value instanceof Map;

async function coseKeyOf(publicKey: Uint8Array): Promise<Map<unknown, unknown>> {
  const { decodeCredentialPublicKey } = await helpers();
  const key: unknown = decodeCredentialPublicKey(new Uint8Array(publicKey));
  if (!isMap(key)) throw new Error('The public key is not a COSE key.');
  return key;
}

/** What is not a whole key of an algorithm that is offered throws. */
async function keyOf(publicKey: Uint8Array): Promise<KeyObject> {
  const { cose } = await helpers();
  const { COSEKEYS, COSEKTY, COSECRV } = cose;
  const parts = await coseKeyOf(publicKey);
  const bytes = (label: number): string => {
    const value = parts.get(label);
    if (!(value instanceof Uint8Array)) throw new Error(`The public key lacks part ${label}.`);
    return Buffer.from(value).toString('base64url');
  };
  const [type, algorithm, curve] = [COSEKEYS.kty, COSEKEYS.alg, COSEKEYS.crv].map((label) => parts.get(label));
  if (algorithm === -7 && type === COSEKTY.EC2 && curve === COSECRV.P256) {
    const jwk = { kty: 'EC', crv: 'P-256', x: bytes(COSEKEYS.x), y: bytes(COSEKEYS.y) };
    return createPublicKey({ key: jwk, format: 'jwk' });
  }
  if (algorithm !== -257 || type !== COSEKTY.RSA) throw new Error('The public key does not match its algorithm.');
  const jwk = { kty: 'RSA', n: bytes(COSEKEYS.n), e: bytes(COSEKEYS.e) };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < minRsaBits) throw new Error(`An RSA key of ${bits} bits is too short.`);
  return key;
}

/** Some authenticators send the two numbers of an ES256 signature one after the other instead of DER. */
function isSignature(signature: Buffer, signed: Buffer, key: KeyObject): boolean {
  const fits = (dsaEncoding: 'der' | 'ieee-p1363') => verify('sha256', signed, { key, dsaEncoding }, signature);
  if (key.asymmetricKeyType === 'rsa') return verify('sha256', signed, key, signature);
  return fits('der') || (signature.length === 64 && fits('ieee-p1363'));
}
