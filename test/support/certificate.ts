// A certificate that signs itself, made for one test and one name, so that no private key lies in the repository.
import { generateKeyPairSync, sign } from 'node:crypto';

type Bytes = Uint8Array;

/** One element of DER: its tag, its length, what is in it. */
function element(tag: number, ...parts: readonly Bytes[]): Bytes {
  const body = Buffer.concat(parts);
  const long = body.length < 128 ? [] : body.length < 256 ? [0x81] : [0x82, body.length >> 8];
  return Buffer.concat([Buffer.from([tag, ...long, body.length & 255]), body]);
}

const sequence = (...parts: readonly Bytes[]): Bytes => element(0x30, ...parts);
const oid = (hex: string): Bytes => element(0x06, Buffer.from(hex, 'hex'));
const bits = (bytes: Bytes): Bytes => element(0x03, Buffer.from([0]), bytes);
const time = (text: string): Bytes => element(0x18, Buffer.from(text));
const name = (common: string): Bytes =>
  sequence(element(0x31, sequence(oid('550403'), element(0x0c, Buffer.from(common)))));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

/** `subjectAltName`, which is where a name is looked for. */
const alternatives = (dns: string): Bytes =>
  element(0xa3, sequence(sequence(oid('551d11'), element(0x04, sequence(element(0x82, Buffer.from(dns)))))));

export function certificateFor(dns: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name(dns),
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    name(dns),
    publicKey.export({ type: 'spki', format: 'der' }),
    alternatives(dns),
  );
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)));
  const lines = Buffer.from(whole).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
