// Passkeys over HTTP, with an authenticator in software: how they are registered, sign in, and are looked after.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, minute } from '#lib/spans.ts';
import { base64url, newPasskey } from '#test/authenticator.ts';
import { eachEngine } from '#test/databases.ts';
import { aSiteOfPasskeys, codeOf, own, subjectsTo } from '#test/passkeys-site.ts';
import { aVisitor, signedInAs, tokenIn } from '#test/visitor.ts';

eachEngine('webauthn: passkeys', (engine) => {
  test('are registered, sign in with and without a name, are trashed, restored and deleted, and leave nothing', async () => {
    const { site, ada, begin, register, ask, verify, exchange, later, suite } = await aSiteOfPasskeys(engine);
    const asAda = site.asUser(ada);
    const [phone, key] = [newPasskey('ES256'), newPasskey('RS256')];
    const { options } = await begin(asAda);
    assert.deepEqual(
      [
        options.rp.id,
        options.user.name,
        options.attestation,
        options.excludeCredentials,
        'authenticatorSelection' in options,
      ],
      ['localhost', 'ada', 'none', [], false],
    );
    assert.equal(Buffer.from(options.challenge, 'base64url').length, 64);
    const made = await register(asAda, phone, 'My phone');
    assert.equal(made.status, 201, made.text);
    assert.equal(new URL(made.headers.get('location')!).pathname, `${own}/${base64url(phone.id)}`);
    const { _links, created_at, ...record } = made.body;
    assert.deepEqual(record, {
      id: base64url(phone.id),
      type: 'public-key',
      transports: ['internal', 'hybrid'],
      signature_count: 0,
      backup_eligible: true,
      backed_up: false,
      last_used: null,
      trashed_at: null,
      label: 'My phone',
      status: 'active',
    });
    assert.equal((await register(asAda, key, 'My key')).status, 201);
    assert.deepEqual((await begin(asAda)).options.excludeCredentials.length, 2);

    // With a name, and without one; ES256 as DER and as raw bytes, and RS256.
    assert.equal((await ask('ada')).options.allowCredentials.length, 2);
    const verified = await verify(phone, 'ada');
    assert.deepEqual([verified.status, verified.body.user], [200, 'ada'], verified.text);
    const entered = await exchange('ada', verified.body.token);
    assert.equal(entered.status, 302, entered.text);
    assert.match(String(entered.given), /site_session=[\w-]{43}/);
    for (const [passkey, wrongly] of [
      [phone, { signedAs: 'raw' }],
      [key, {}],
    ] as const)
      assert.equal((await exchange('ada', (await verify(passkey, undefined, wrongly)).body.token)).status, 302);

    // Of those in the trash, none signs in; restored, they do.
    const path = `${own}/${base64url(phone.id)}`;
    assert.deepEqual((await asAda.delete(path)).body.status, 'trash');
    assert.equal((await ask('ada')).options.allowCredentials.length, 1);
    assert.match(codeOf(await verify(phone)), /credential-not-allowed/);
    assert.match(codeOf(await register(asAda, phone)), /duplicate-credential-id/);
    assert.deepEqual((await asAda.put(path, { status: 'active', label: 'Phone' })).body.label, 'Phone');
    assert.equal((await verify(phone)).status, 200);

    // The job of the day empties the trash after 7 days.
    await asAda.put(path, { status: 'trash' });
    later(6 * day);
    await suite.passkeys.purge();
    assert.equal((await asAda.get(own)).body.length, 2);
    later(day + minute);
    await suite.passkeys.purge();
    assert.deepEqual(
      (await asAda.get(own)).body.map(({ label }: { label: string }) => label),
      ['My key'],
    );
    assert.equal((await asAda.delete(`${own}/${base64url(key.id)}?force=true`)).status, 204);
    assert.deepEqual(await subjectsTo(site, 'ada@site.test'), [
      'A passkey was added to your account',
      'A passkey was added to your account',
      'A passkey was removed from your account',
      'A passkey was restored in your account',
      'A passkey was removed from your account',
      'A passkey was removed from your account',
    ]);
    await register(asAda, newPasskey());
    await ask('ada');
    await site.as('administrator').delete(`/api/core/v2/users/${ada.id}?force=true&reassign=false`);
    await site.app.services.events.settled();
    const { db } = site.app.services.store;
    for (const table of ['credentials', 'users', 'tokens'])
      assert.deepEqual(
        await db
          .selectFrom(`secsuite_webauthn_${table}` as never)
          .selectAll()
          .where('user_id' as never, '=', ada.id as never)
          .execute(),
        [],
        table,
      );
  });

  test('are exchanged for a session once, by their owner, where site, group and user let them', async () => {
    const { site, suite, set, ada, eve, register, verify, exchange, later } = await aSiteOfPasskeys(engine);
    const key = newPasskey();
    await register(site.asUser(ada), key);
    const token = async () => (await verify(key)).body.token as string;
    const refusal = async (user: string, sent: string) => {
      const { status, text, given } = await exchange(user, sent);
      assert.doesNotMatch(String(given), /site_session=\w/);
      return [status, /role="alert"[^>]*><p>([^<]*)/.exec(text)?.[1]];
    };
    const used = await token();
    assert.equal((await exchange('ada', used)).status, 302);
    assert.match(String(await refusal('ada', used)), /does not exist, or it was used/);
    const stolen = await token();
    assert.match(String(await refusal('eve', stolen)), /belongs to another user/);
    assert.match(String(await refusal('ada', stolen)), /does not exist, or it was used/);
    assert.match(String(await refusal('nobody', await token())), /belongs to another user/);
    const late = await token();
    later(3 * minute);
    assert.match(String(await refusal('ada', late)), /has expired/);
    const trashed = await token();
    await site.asUser(ada).delete(`${own}/${base64url(key.id)}`);
    assert.match(String(await refusal('ada', trashed)), /cannot be used/);
    await site.asUser(ada).put(`${own}/${base64url(key.id)}`, { status: 'active' });
    const { body: group } = await site
      .as('administrator')
      .post('/api/secsuite/v1/user-groups', { label: 'Eve', users: [eve.id] });
    await set('passwordless-login', { group: [group.id] });
    assert.match(String(await refusal('ada', await token())), /cannot sign in with a passkey/);
    await set('passwordless-login', { group: [], methods: ['magic'] });
    assert.match(String(await refusal('ada', await token())), /does not accept passkeys/);
    await set('passwordless-login', { methods: ['webauthn'], availability: 'disabled' });
    assert.match(String(await refusal('ada', await token())), /cannot sign in with a passkey/);
    // Their own choice counts more than how the site begins.
    const visitor = await signedInAs(site, ada);
    const page = (await visitor.get('/account/passkeys')).text;
    await visitor.post('/account/passkeys', { _wpnonce: tokenIn(page), do: 'allow' });
    assert.equal((await exchange('ada', await token())).status, 302);
    assert.match((await subjectsTo(site, 'ada@site.test')).at(-1) ?? '', /Your passkeys can sign you in/);
    // Managers turn passkeys and links on and off for a user at once.
    const turn = (enabled: boolean) =>
      site.as('administrator').post(`/api/core/v2/users/${ada.id}`, { secsuite_passwordless_login: { enabled } });
    await turn(false);
    assert.match(String(await refusal('ada', await token())), /cannot sign in with a passkey/);
    await turn(true);
    assert.equal(await suite.signInLinks.hasAllowed(ada), true);
    await turn(false);
    assert.equal(await suite.signInLinks.hasAllowed(ada), false);
    assert.deepEqual((await subjectsTo(site, 'ada@site.test')).slice(-2).sort(), [
      'Links by email no longer sign you in',
      'Your passkeys no longer sign you in',
    ]);
  });

  test('are named, removed and restored without a script, and are nobody else’s', async () => {
    const { site, suite, ada, eve, register } = await aSiteOfPasskeys(engine);
    const key = newPasskey();
    await register(site.asUser(ada), key);
    const id = base64url(key.id);
    const visitor = await signedInAs(site, ada);
    assert.match((await visitor.get('/account')).text, /href="\/account\/passkeys"/);
    const page = await visitor.get('/account/passkeys');
    assert.match(page.headers.get('content-security-policy')!, /script-src 'self'; connect-src 'self'/);
    const send = (form: Record<string, string>) =>
      visitor.post('/account/passkeys', { _wpnonce: tokenIn(page.text), ...form });
    assert.equal((await send({ do: 'name', id, label: 'My <key>' })).to, '/account/passkeys?done=named');
    assert.match((await visitor.get('/account/passkeys')).text, /My &lt;key&gt;/);
    assert.equal((await send({ do: 'name', id, label: ' ' })).status, 400);
    for (const [deed, done] of [
      ['remove', 'removed'],
      ['restore', 'restored'],
      ['remove', 'removed'],
      ['delete', 'deleted'],
    ])
      assert.equal((await send({ do: deed!, id })).to, `/account/passkeys?done=${done}`);
    assert.match((await visitor.get('/account/passkeys')).text, /no passkey yet/);

    await register(site.asUser(eve), key);
    await send({ do: 'delete', id });
    const asAda = site.asUser(ada);
    const refused = [
      asAda.get(`${own}/${id}`),
      asAda.put(`${own}/${id}`, { label: 'Mine' }),
      asAda.delete(`${own}/${id}`),
    ];
    for (const answer of await Promise.all(refused))
      assert.equal(codeOf(answer), '403 secsuite.webauthn.rest.credentials.cannot-view');
    assert.equal(codeOf(await asAda.get(`${own}/zzz`)), '404 secsuite.webauthn.credential-record-repository.not-found');
    assert.equal(codeOf(await site.get(`${own}/zzz`)), '401 rest_forbidden');
    assert.equal(codeOf(await site.asUser(eve).put(`${own}/${id}`, { label: '' })), '400 rest_invalid_param');
    const signIn = (await aVisitor(site).get('/login')).text;
    assert.match(signIn, /<script type="module" src="\/passkeys\.js\?v=\w+">/);
    assert.match((await aVisitor(site).get('/passkeys.js')).headers.get('content-type')!, /^text\/javascript/);

    // A site that moved to another host says whose passkeys work no longer.
    await site.app.services.store.write((tx) =>
      tx
        .updateTable('secsuite_webauthn_credentials' as never)
        .set({ rp_id: 'old.test' } as never)
        .execute(),
    );
    const { state, finding } = await suite.passkeys.look();
    assert.deepEqual(state, 'warning');
    assert.equal(finding, '1 of them works only at old.test, because GATEHOUSE_URL was changed to localhost');
    const asEve = await signedInAs(site, eve);
    assert.match((await asEve.get('/account/passkeys')).text, /It works only at old\.test, where this site was before/);
  });
});
