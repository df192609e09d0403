// An authenticator in software: it makes passkeys and signs with them as a phone or a security key does, and can be told to do it wrong.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  const long = Buffer.from([(major << 5) | 25, 0, 0]);
  long.writeUInt16BE(value, 1);
  return long;
}

/** The few kinds of CBOR that authenticators write. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const members = [...(value as ReadonlyMap<number | string, Cbor>)];
  return Buffer.concat([head(5, members.length), ...members.flatMap(([name, one]) => [cbor(name), cbor(one)])]);
}

export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

export interface Passkey {
  readonly id: Buffer;
  readonly algorithm: 'ES256' | 'RS256';
  readonly privateKey: KeyObject;
  /** As COSE has it, to be changed by tests. */
  readonly cose: ReadonlyMap<number, Cbor>;
  userHandle: string;
  count: number;
}

const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');

export function newPasskey(algorithm: Passkey['algorithm'] = 'ES256'): Passkey {
  const { publicKey, privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { x, y, n, e } = publicKey.export({ format: 'jwk' });
  const cose = new Map<number, Cbor>(
    algorithm === 'ES256'
      ? [
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(x)],
          [-3, bytes(y)],
        ]
      : [
          [1, 3],
          [3, -257],
          [-1, bytes(n)],
          [-2, bytes(e)],
        ],
  );
  return { id: randomBytes(32), algorithm, privateKey, cose, userHandle: '', count: 0 };
}

/** What it does otherwise than it should. */
export interface Wrongly {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  readonly rpId?: string;
  /** User present 1, user verified 4, backup eligible 8, backed up 16. */
  readonly flags?: number;
  readonly format?: Cbor;
  readonly statement?: Cbor;
  readonly cose?: ReadonlyMap<number, Cbor>;
  readonly id?: Buffer;
  readonly count?: number;
  readonly signature?: Buffer;
  readonly signedAs?: 'raw';
  readonly userHandle?: string | null;
  readonly clientData?: Buffer;
  readonly authData?: Buffer;
}

const present = 0x01 | 0x04 | 0x08;
const attested = 0x40;
const origin = 'http://localhost';

const clientDataOf = (type: string, challenge: string, wrongly: Wrongly): Buffer =>
  wrongly.clientData ??
  Buffer.from(
    JSON.stringify({
      type: wrongly.type ?? type,
      challenge: wrongly.challenge ?? challenge,
      origin: wrongly.origin ?? origin,
      crossOrigin: false,
    }),
  );

function authDataOf(rpId: string, flags: number, count: number): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(count);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
}

interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}

/** What `navigator.credentials.create` answers, as JSON. */
export function attest(passkey: Passkey, { rp, user, challenge }: CreationOptions, wrongly: Wrongly = {}) {
  passkey.userHandle = user.id;
  const id = wrongly.id ?? passkey.id;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  const flags = (wrongly.flags ?? present) | attested;
  const data = Buffer.concat([
    authDataOf(wrongly.rpId ?? rp.id, flags, wrongly.count ?? passkey.count),
    Buffer.alloc(16),
    length,
    id,
    cbor(wrongly.cose ?? passkey.cose),
  ]);
  const object = new Map<string, Cbor>([
    ['fmt', wrongly.format ?? 'none'],
    ['attStmt', wrongly.statement ?? new Map()],
    ['authData', wrongly.authData ?? data],
  ]);
  return {
    id: base64url(id.length === 0 ? passkey.id : id),
    type: 'public-key',
    response: {
      clientDataJSON: base64url(clientDataOf('webauthn.create', challenge, wrongly)),
      attestationObject: base64url(cbor(object)),
      transports: ['internal', 'hybrid'],
    },
  };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** What `navigator.credentials.get` answers, as JSON. Its counter goes up by 1. */
export function assertWith(passkey: Passkey, { challenge, rpId }: RequestOptions, wrongly: Wrongly = {}) {
  passkey.count += 1;
  const clientData = clientDataOf('webauthn.get', challenge, wrongly);
  const data =
    wrongly.authData ?? authDataOf(wrongly.rpId ?? rpId, wrongly.flags ?? present, wrongly.count ?? passkey.count);
  const signed = Buffer.concat([data, sha256(clientData)]);
  const encoding = wrongly.signedAs === 'raw' ? 'ieee-p1363' : 'der';
  const signature = wrongly.signature ?? sign('sha256', signed, { key: passkey.privateKey, dsaEncoding: encoding });
  return {
    id: base64url(wrongly.id ?? passkey.id),
    type: 'public-key',
    response: {
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(signature),
      userHandle: wrongly.userHandle === undefined ? passkey.userHandle : wrongly.userHandle,
    },
  };
}
