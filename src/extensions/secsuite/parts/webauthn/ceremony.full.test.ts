// The test vectors of Web Authentication Level 3, section 16: algorithms that are offered are taken, all others are refused. And the limits
// of both ceremonies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { hour } from '#lib/spans.ts';
import { attest, cbor, newPasskey } from '#test/authenticator.ts';
import { testEngine } from '#test/databases.ts';
import { aSiteOfPasskeys, codeOf, rpc } from '#test/passkeys-site.ts';
import { describeAsync } from '#test/suites.ts';
import { CeremonyError, checkAssertion, checkAttestation, type Expected } from './ceremony.ts';

const expected = (challenge: string): Expected => ({
  challenge: Buffer.from(challenge, 'hex').toString('base64url'),
  rpId: 'example.org',
  origins: ['https://example.org'],
  requiresVerification: false,
});
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** Of `none.ES256`. */
const es256 = {
  created: '00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130',
  creation:
    '7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20426b5165446a646354427258426941774a544c453551227d',
  attestation:
    'a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220',
  id: 'f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4',
  asked: '39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408',
  data: 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000',
  request:
    '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d',
  signature:
    '3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87',
};

/** Of `packed.RS256`. Its key is the product of two Mersenne primes. */
const rs256 = {
  asked: '295f59f5fa8fe62c5aca9e27626c78c8da376ae6d8cd2dd29aebad601e1bc4c5',
  data: 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000',
  request:
    '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224b56395a39667150356978617970346e596d7834794e6f33617562597a5333536d75757459423462784d55222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d',
  signature:
    '01063d52d7c39b4d432fc7063c5d93e582bdcb16889cd71f888d67d880ea730a428498d3bc8e1ee11f2b1ecbe6c292b118c55ffaaddefa8cad0a54dd137c51f1eec673f1bb6c4d1789d6826a222b22d0f585fc901fdc933212e579d199b89d672aa44891333e6a1355536025e82b25590256c3538229b55737083b2f6b9377e49e2472f11952f79fdd0da180b5ffd901b4049a8f081bb40711bef76c62aed943571f2d0575304cb549d68d8892f95086a30f93716aee818f8dc06e96c0d5e0ed4cfa9fd8773d90464b68cf140f7986666ff9c9e3302acd0535d60d769f465e2ab57ef8aabc89fccfef7ba32a64154a8b3d26be2298f470b8cc5377dbe3dfd4b0b45f8f01e63bde6cfc76b62771f9b70aa27cf40152cad93aa5acd784fd4b90f676e2ea828d0bf2400aebbaae4153e5838f537f88b6228346782a93a899be66ec77de45b3efcf311da6321c92e6b0cd11bfe653bf3e98cee8e341f02d67dbb6f9c98d9e8178090cfb5b70fbc6d541599ac794ae2f1d4de1286ec8de8c2daf7b1d15c8438e90d924df5c19045220a4c8438c1b979bbe016cf3d0eeec23c3999d4882cc645b776de930756612cdc6dd398160ff02a6',
};
const modulus = ((2n ** 1279n - 1n) * (2n ** 2203n - 1n)).toString(16);
const rsaKey = cbor(
  new Map<number, number | Buffer>([
    [1, 3],
    [3, -257],
    [-1, hex(modulus.padStart(modulus.length + (modulus.length % 2), '0'))],
    [-2, hex('010001')],
  ]),
);

const codeOfError = (error: unknown): string => (error instanceof Problem ? error.code : String(error));

const faultOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof CeremonyError ? error.fault : String(error);
};

test('webauthn: what the specification has for ES256 and RS256 is taken, and refused once a byte is another', async () => {
  const made = await checkAttestation(
    { clientDataJSON: hex(es256.creation), attestationObject: hex(es256.attestation) },
    expected(es256.created),
  );
  assert.equal(made.id.toString('hex'), es256.id);
  assert.deepEqual([made.signCount, made.backupEligible, made.backedUp], [0, true, true]);
  for (const [vector, publicKey] of [[es256, made.publicKey] as const, [rs256, rsaKey] as const]) {
    const sent = {
      clientDataJSON: hex(vector.request),
      authenticatorData: hex(vector.data),
      signature: hex(vector.signature),
    };
    const known = { publicKey, signCount: 0 };
    const asked = expected(vector.asked);
    assert.equal((await checkAssertion(sent, asked, known)).signCount, 0);
    const strict = { ...asked, requiresVerification: true };
    assert.equal(await faultOf(checkAssertion(sent, strict, known)), 'user-not-verified');
    const unexpected: string[] = [];
    for (let at = 0; at < sent.signature.length; at += 1) {
      const signature = Buffer.from(sent.signature);
      signature[at]! ^= 0x10;
      const fault = await faultOf(checkAssertion({ ...sent, signature }, asked, known));
      if (fault !== 'invalid-signature') unexpected.push(`byte ${at}: ${fault}`);
    }
    assert.deepEqual(unexpected, []);
  }
});

test('webauthn: every other algorithm is refused, and every truncation of an attestation', async () => {
  const unexpected: string[] = [];
  const attestation = hex(es256.attestation);
  const clientDataJSON = hex(es256.creation);
  const check = (attestationObject: Buffer) =>
    faultOf(checkAttestation({ clientDataJSON, attestationObject }, expected(es256.created)));
  const beforeKey = attestation.length - 77;
  const dataStart = attestation.indexOf('authData') + 'authData'.length + 2;
  for (const algorithm of [-8, -19, -9, -35, -36, -37, -38, -39, -47, -258, -259, -65_535, 7]) {
    const key = cbor(
      new Map([
        [1, 1],
        [3, algorithm],
      ]),
    );
    const data = Buffer.concat([attestation.subarray(dataStart, beforeKey), key]);
    const object = new Map<string, string | Buffer | ReadonlyMap<number, number>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', data],
    ]);
    const fault = await check(cbor(object));
    if (fault !== 'invalid-alg') unexpected.push(`${algorithm}: ${fault}`);
  }
  for (let length = 0; length < attestation.length; length += 1) {
    const fault = await check(attestation.subarray(0, length));
    if (fault !== 'failed') unexpected.push(`${length} bytes: ${fault}`);
  }
  // Nested so deep that a reader without a limit runs out of stack.
  const deep = await check(Buffer.alloc(200_000, 0x81));
  if (deep !== 'failed') unexpected.push(`nested: ${deep}`);
  assert.deepEqual(unexpected, []);
});

describeAsync('webauthn: limits', async () => {
  const engine = testEngine('sqlite');

  test('1,000 sign-ins an hour of a network, 100 registrations an hour of a user, and keys of 2,500 bytes', async () => {
    const { site, suite, ada, eve, begin, later } = await aSiteOfPasskeys(engine);
    const { passkeys } = suite;
    const start = (from: string) => passkeys.startVerification('', from).then(() => 'begun', codeOfError);
    const register = (user: typeof ada) => passkeys.startRegistration(user).then(() => 'begun', codeOfError);
    const began: string[] = [];
    for (let time = 0; time < 1000; time += 1) began.push(await start(time % 2 === 0 ? '2001:db8::1' : '2001:db8::2'));
    assert.deepEqual([...new Set(began)], ['begun']);
    assert.deepEqual(
      [await start('2001:db8::3'), await start('2001:db8:1::3')],
      ['too_many_requests', 'begun'],
      'the network, and another one',
    );
    for (let time = 0; time < 1000; time += 1) await start('127.0.0.1');
    assert.equal(codeOf(await site.post(`${rpc}/verify-credential`, {})), '429 too_many_requests');

    const registered: string[] = [];
    for (let time = 0; time < 100; time += 1) registered.push(await register(ada));
    assert.deepEqual([...new Set(registered)], ['begun']);
    const refused = await site.asUser(ada).post(`${rpc}/register-credential`, {});
    assert.deepEqual([codeOf(refused), await register(eve)], ['429 too_many_requests', 'begun']);

    later(hour);
    assert.deepEqual([await start('2001:db8::3'), await register(ada)], ['begun', 'begun']);

    const sized = async (length: number) => {
      const { options, path } = await begin(site.asUser(eve));
      const passkey = newPasskey();
      const short = cbor(new Map([...passkey.cose, [-300, Buffer.alloc(300)]])).length - 300;
      const cose = new Map([...passkey.cose, [-300, Buffer.alloc(length - short)]]);
      assert.equal(cbor(cose).length, length);
      return codeOf(await site.asUser(eve).post(path, { credential: attest(passkey, options, { cose }) }));
    };
    assert.deepEqual(
      [await sized(2500), await sized(2501)],
      ['201', '400 secsuite.webauthn.registration-ceremony.failed'],
    );
  });
});
