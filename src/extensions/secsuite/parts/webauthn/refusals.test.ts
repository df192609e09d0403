// Everything that is refused of passkeys, with the codes in the order of the interface.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { assertWith, attest, base64url, newPasskey, type Passkey, type Wrongly } from '#test/authenticator.ts';
import { eachEngine } from '#test/databases.ts';
import { aSiteOfPasskeys, codeOf, own, rpc, subjectsTo } from '#test/passkeys-site.ts';

eachEngine('webauthn: ceremonies', (engine) => {
  test('are refused at registration in the order of the interface', async () => {
    const { site, ada, eve, begin, register, set, later } = await aSiteOfPasskeys(engine);
    const asAda = site.asUser(ada);
    const app = await site.post(`${rpc}/register-credential`, {}, await site.credentials(ada));
    assert.equal(codeOf(app), '403 rest_forbidden', 'an application password adds no passkey');
    const taken = newPasskey();
    await register(asAda, taken);
    const rows: readonly (readonly [tail: string, wrongly: Wrongly])[] = [
      ['invalid-type', { type: 'webauthn.get', challenge: 'AAAA' }],
      ['invalid-challenge', { challenge: base64url(randomBytes(64)), origin: 'http://evil.test' }],
      ['invalid-origin', { origin: 'http://localhost:8080', rpId: 'evil.test' }],
      ['invalid-origin', { origin: 'https://localhost' }],
      ['rp-id-hash-mismatch', { rpId: 'evil.test', flags: 0 }],
      ['user-not-present', { flags: 0x04 }],
      ['user-not-verified', { flags: 0x01, cose: new Map([[1, 2]]) }],
      ['no-alg', { cose: new Map([[1, 2]]) }],
      [
        'invalid-alg',
        {
          cose: new Map([
            [1, 1],
            [3, -8],
          ]),
          format: 7,
        },
      ],
      ['invalid-attestation-stmt-type', { format: 7, id: Buffer.alloc(0) }],
      ['missing-credential-id', { id: Buffer.alloc(0) }],
      ['credential-id-too-long', { id: Buffer.alloc(1024, 1) }],
      ['duplicate-credential-id', { id: taken.id }],
      ['failed', { clientData: Buffer.from('{}') }],
      ['failed', { clientData: Buffer.from([0xff, 0xfe]) }],
      ['failed', { authData: Buffer.alloc(20) }],
      [
        'failed',
        {
          cose: new Map<number, number | Buffer>([
            [1, 2],
            [3, -7],
            [-1, 1],
            [-2, Buffer.alloc(32, 9)],
            [-3, Buffer.alloc(32, 9)],
          ]),
        },
      ],
    ];
    const wrong: string[] = [];
    const expect = (is: string, was: string) => void (is === was || wrong.push(`${is} instead of ${was}`));
    for (const [tail, wrongly] of rows) {
      const { options, path } = await begin(asAda, { authenticatorSelection: { userVerification: 'required' } });
      const sent = { credential: attest(newPasskey(), options, wrongly) };
      expect(codeOf(await asAda.post(path, sent)), `400 secsuite.webauthn.registration-ceremony.${tail}`);
      // An attempt uses the token up, whatever comes of it.
      expect(codeOf(await asAda.post(path, sent)), '400 secsuite-opaque-token-not-found');
    }
    const shapes: readonly object[] = [
      { id: 'AAAA', type: 'public-key', response: {} },
      { id: 'AAAA', type: 'password', response: { clientDataJSON: 'e30', attestationObject: 'oA' } },
      { id: 'AAAA', type: 'public-key', response: { clientDataJSON: 'e+0', attestationObject: 'oA' } },
      {
        id: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: 'usb' },
      },
    ];
    for (const credential of shapes)
      expect(
        codeOf(await asAda.post((await begin(asAda)).path, { credential })),
        '400 secsuite.webauthn.rest.register-credential.invalid-credential',
      );
    const { options, path } = await begin(asAda);
    const good = { credential: attest(newPasskey(), options) };
    expect(codeOf(await site.asUser(eve).post(path, good)), '403 rest_forbidden');
    expect(codeOf(await site.post(path, good)), '401 rest_forbidden');
    expect(codeOf(await asAda.post(path, { ...good, token: 'another' })), '400 rest_invalid_param');
    expect(codeOf(await asAda.post(path, { ...good, label: '' })), '400 rest_invalid_param');
    expect(
      codeOf(await asAda.post(`${rpc}/register-credential/abcdef/create`, good)),
      '400 secsuite-opaque-token-invalid',
    );
    later(30 * minute);
    expect(codeOf(await asAda.post(path, good)), '400 secsuite-opaque-token-expired');
    expect(codeOf(await site.post(`${rpc}/register-credential`, { email: 'new@site.test' })), '401 rest_forbidden');
    // What the site asks of all passkeys wins over what a client asks for.
    await set('passwordless-login', { passkey_user_verification: 'required' });
    const strict = await begin(asAda, { authenticatorSelection: { userVerification: 'discouraged' } });
    assert.deepEqual(strict.options.authenticatorSelection, {
      residentKey: 'discouraged',
      requireResidentKey: false,
      userVerification: 'required',
    });
    assert.deepEqual(wrong, []);
    // Padded values are read as well.
    const padded = await begin(asAda);
    const credential = attest(newPasskey(), padded.options);
    const pad = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, '=');
    const response = { ...credential.response, clientDataJSON: pad(credential.response.clientDataJSON) };
    assert.equal((await asAda.post(padded.path, { credential: { ...credential, response } })).status, 201);
  });

  test('are refused at sign-in in the order of the interface, and count for lockouts from the first check on', async () => {
    const { site, ada, eve, register, ask, verify, later, set } = await aSiteOfPasskeys(engine);
    await set('passwordless-login', { passkey_user_verification: 'required' });
    const [phone, other, theirs] = [newPasskey(), newPasskey(), newPasskey()];
    for (const passkey of [phone, other]) await register(site.asUser(ada), passkey);
    await register(site.asUser(eve), theirs);
    const failures: string[] = [];
    site.app.services.events.on('login.failed', ({ reason }) => void failures.push(reason));
    const ceremony = 'secsuite.webauthn.authentication-ceremony';
    const unknown = { id: randomBytes(16) };
    type Row = readonly [code: string, passkey: Passkey, user: string | undefined, wrongly: Wrongly];
    const rows: readonly Row[] = [
      [`400 ${ceremony}.credential-not-allowed`, theirs, 'ada', {}],
      [`400 ${ceremony}.credential-not-allowed`, phone, 'ada', unknown],
      ['404 secsuite.webauthn.credential-record-repository.not-found', phone, undefined, unknown],
      [`400 ${ceremony}.user-mismatch`, phone, 'ada', { userHandle: 'AAAA', type: 'webauthn.create' }],
      [`400 ${ceremony}.no-user-identified`, phone, undefined, { userHandle: null }],
      [`400 ${ceremony}.wrong-credential-for-user`, phone, undefined, { userHandle: theirs.userHandle }],
      [`400 ${ceremony}.invalid-type`, phone, 'ada', { type: 'webauthn.create', challenge: 'AAAA' }],
      [`400 ${ceremony}.invalid-challenge`, phone, 'ada', { challenge: 'AAAA', origin: 'http://evil.test' }],
      [`400 ${ceremony}.invalid-origin`, phone, 'ada', { origin: 'http://evil.test', rpId: 'evil.test' }],
      [`400 ${ceremony}.rp-id-hash-mismatch`, phone, 'ada', { rpId: 'evil.test', flags: 0 }],
      [`400 ${ceremony}.user-not-present`, phone, 'ada', { flags: 0x04 }],
      [`400 ${ceremony}.user-not-verified`, phone, 'ada', { flags: 0x01, signature: Buffer.alloc(64) }],
      [`400 ${ceremony}.invalid-signature`, phone, 'ada', { signature: Buffer.alloc(64), count: 1 }],
      [`400 ${ceremony}.invalid-signature`, phone, 'ada', { signature: Buffer.alloc(0) }],
      [`400 ${ceremony}.failed`, phone, 'ada', { clientData: Buffer.from('[]') }],
      [`400 ${ceremony}.failed`, phone, 'ada', { authData: Buffer.alloc(36) }],
    ];
    const wrong: string[] = [];
    const expect = (is: string, was: string) => void (is === was || wrong.push(`${is} instead of ${was}`));
    for (const [code, passkey, user, wrongly] of rows) expect(codeOf(await verify(passkey, user, wrongly)), code);
    assert.deepEqual(
      failures.splice(0),
      rows.map(() => 'incorrect_passkey'),
    );

    // With a name, somebody else's passkey, where no list says which may answer.
    await site.user({ login: 'bob', email: 'bob@site.test' });
    expect(codeOf(await verify(phone, 'bob')), `400 ${ceremony}.wrong-credential-for-user`);
    // Before the first check, nothing counts but a name that nobody has.
    failures.length = 0;
    const { options, path } = await ask('ada');
    const good = { user: 'ada', credential: assertWith(phone, options) };
    expect(
      codeOf(await site.post(path, { ...good, user: 'nobody' })),
      '400 secsuite.webauthn.rest.verify-credential.user-not-found',
    );
    expect(codeOf(await site.post(path, { ...good, token: 'another' })), '400 rest_invalid_param');
    expect(
      codeOf(await site.post(`${rpc}/verify-credential/abcdef/verify`, good)),
      '400 secsuite-opaque-token-invalid',
    );
    expect(
      codeOf(await site.post(path, { credential: { ...good.credential, response: {} } })),
      '400 secsuite.webauthn.rest.verify-credential.invalid-credential',
    );
    expect(
      codeOf(await site.post(`${rpc}/verify-credential`, { user: 'nobody' })),
      '400 secsuite.webauthn.rest.verify-credential.user-not-found',
    );
    assert.deepEqual(failures, ['invalid_username', 'invalid_username'], 'at each of the two steps');

    // Used up, expired, twice at once.
    expect(codeOf(await site.post(path, good)), '400 secsuite-opaque-token-not-found');
    const old = await ask();
    later(30 * minute);
    expect(
      codeOf(await site.post(old.path, { credential: assertWith(phone, old.options) })),
      '400 secsuite-opaque-token-expired',
    );
    const twice = await ask();
    const sent = { credential: assertWith(phone, twice.options) };
    const both = (await Promise.all([site.post(twice.path, sent), site.post(twice.path, sent)])).map(codeOf).sort();
    expect(both.join(', '), '200, 400 secsuite-opaque-token-not-found');
    assert.deepEqual(wrong, []);
  });

  test('whose counter runs back are refused, and their owner is told', async () => {
    const { site, suite, ada, register, verify } = await aSiteOfPasskeys(engine);
    const key = newPasskey();
    await register(site.asUser(ada), key);
    const code = '400 secsuite.webauthn.authentication-ceremony.invalid-sign-count';
    assert.equal((await verify(key, 'ada', { count: 7 })).status, 200);
    assert.equal(codeOf(await verify(key, 'ada', { count: 7 })), code);
    assert.equal(codeOf(await verify(key, 'ada', { count: 3 })), code);
    assert.equal((await verify(key, 'ada', { count: 8 })).status, 200);
    assert.equal((await site.asUser(ada).get(`${own}/${base64url(key.id)}`)).body.signature_count, 8);
    assert.equal((await verify(key, 'ada', { count: 0 })).status, 200);
    await suite.logs.flush();
    const { body } = await site.as('administrator').get('/api/secsuite/v1/logs?module=webauthn');
    assert.deepEqual(
      body.map((one: { code: { raw: { code: string } } }) => one.code.raw.code),
      ['authentication-ceremony-failed', 'authentication-ceremony-failed'],
    );
    assert.equal((await subjectsTo(site, 'ada@site.test')).filter((one) => /copied/.test(one)).length, 2);
  });

  test('lock out the IP address that fails with them, and never an account', async () => {
    const { site, set, ada, register, ask } = await aSiteOfPasskeys(engine, {
      env: { GATEHOUSE_URL: 'http://localhost', GATEHOUSE_TRUST_PROXY: '127.0.0.1,::1' },
    });
    await set('brute-force', { max_attempts_host: 3, max_attempts_user: 1 });
    const key = newPasskey();
    await register(site.asUser(ada), key);
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const codes: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      const { options, path } = await ask('ada');
      const credential = assertWith(key, options, { signature: Buffer.alloc(8) });
      codes.push(codeOf(await site.post(path, { user: 'ada', credential }, from)));
    }
    assert.match(codes[1]!, /invalid-signature/);
    assert.equal(codes[2], '403 secsuite_host_locked_out');
    assert.equal((await site.post(`${rpc}/verify-credential`, {}, from)).status, 403);
    const { body } = await site.as('administrator').get('/api/secsuite/v1/lockouts');
    assert.deepEqual(body.map(({ type }: { type: unknown }) => type).length, 1);
  });
});
