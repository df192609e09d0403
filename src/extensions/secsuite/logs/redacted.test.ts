import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { mask, redacted, redactedAddress, redactedText } from './redacted.ts';

const kept = (value: unknown) => JSON.parse(redacted(value));

describe('What is logged of a request', () => {
  test('hides what is named as a secret, however deep and however it is spelled', () => {
    const value = {
      password: 'a',
      user_pass: 'b',
      'X-Auth-Token': 'c',
      headers: { Authorization: 'Basic d', Cookie: ['e'], 'set-cookie': 'f', _wpnonce: 'g' },
      two_factor_code: '123456',
      recovery_codes: ['i'],
      list: [{ card_number: 4111111111111111, apiKey: { inner: 'h' } }],
    };
    assert.deepEqual(kept(value), {
      password: mask,
      user_pass: mask,
      'X-Auth-Token': mask,
      headers: { Authorization: mask, Cookie: mask, 'set-cookie': mask, _wpnonce: mask },
      two_factor_code: mask,
      recovery_codes: mask,
      list: [{ card_number: mask, apiKey: mask }],
    });
  });

  test('keeps what is none', () => {
    const value = {
      username: 'ada',
      user_id: 3,
      source: 'rest_api',
      passed: true,
      password: '',
      token: null,
      passive: 'x',
    };
    assert.deepEqual(kept(value), value);
    assert.equal(kept(undefined), false);
    assert.deepEqual(kept({ postcode: '12345', code: 'a' }), { postcode: '12345', code: 'a' });
    assert.deepEqual(kept(['password_strength']), ['password_strength']);
  });

  const texts: readonly (readonly [text: string, shown: string])[] = [
    ['log=ada&pwd=opensesame&rememberme=1', `log=ada&pwd=${mask}&rememberme=1`],
    ['{"password":"two \\"words","x":1}', `{"password":${mask},"x":1}`],
    ["{'user_password': 'x', 'y': 2}", `{'user_password': ${mask}, 'y': 2}`],
    ['/page?a=1&token=abc&b', `/page?a=1&token=${mask}&b`],
    ['/sign-in?action=rp&key=abc&login=ada', `/sign-in?action=rp&key=${mask}&login=ada`],
    ['Authorization: Basic YTpi\r\nHost: x', `Authorization: ${mask}\r\nHost: x`],
    ['a[pass]=x&b=1', `a[pass]=${mask}&b=1`],
    ['PASSWORD[]=x&b=1', `PASSWORD[]=${mask}&b=1`],
    ['api-key: x', `api-key: ${mask}`],
    ['log=ada&authcode=123456&backup_code=x', `log=ada&authcode=${mask}&backup_code=${mask}`],
    ['{"two_factor_code":"123456"}', `{"two_factor_code":${mask}}`],
    ['https://ada:lovelace@x.example/', `https://${mask}@x.example/`],
    ['paid with 4111 1111 1111 1111, or 4111111111111112', `paid with ${mask}, or 4111111111111112`],
    ['nothing of that kind', 'nothing of that kind'],
  ];
  test('hides secrets inside texts', () =>
    checkRows(texts, ([text, shown]) => assert.equal(redactedText(text), shown)));

  const addresses: readonly (readonly [address: string, shown: string])[] = [
    ['/wp-login.php?redirect_to=%2Fwp-admin%2F&reauth=1', '/wp-login.php?redirect_to=%2Fwp-admin%2F&reauth=1'],
    ['/?p%61ssword=x&a=1', `/?p%61ssword=${mask}&a=1`],
    ['/?data=%7B%22password%22%3A%22x%22%7D', `/?data=${mask}`],
    ['/?a=password%3Dx', `/?a=${mask}`],
    ['/?pass[]=x&user[pw]=y&sid=z&code=w', `/?pass[]=${mask}&user[pw]=${mask}&sid=${mask}&code=${mask}`],
    ['/?code=&key=&?token=x', `/?code=&key=&?token=${mask}`],
    ['/?a=%zz&b=%', '/?a=%zz&b=%'],
    ['/token/x', '/token/x'],
  ];
  test('hides secrets in URLs', () =>
    checkRows(addresses, ([address, shown]) => assert.equal(redactedAddress(address), shown)));

  test('never takes more than 64 KiB, and stays JSON', () => {
    const deep: Record<string, unknown> = {};
    let at = deep;
    for (let level = 0; level < 1_000; level++) at = at.a = {} as Record<string, unknown>;
    const round: Record<string, unknown> = {};
    round.self = round;
    const large = [
      'x'.repeat(1_000_000),
      '\u0001'.repeat(200_000),
      '\u{1f600}'.repeat(100_000),
      { a: 'x'.repeat(60_000), b: 'y'.repeat(60_000), c: '"'.repeat(60_000) },
      Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`name ${n}`, 'é'.repeat(50)])),
      Array.from({ length: 100_000 }, (_, n) => ({ n })),
      Array.from({ length: 90 }, () => Array.from({ length: 90 }, () => Array(90).fill('…'))),
      {
        ['k'.repeat(1_000_000)]: 1,
        ...Object.fromEntries(Array.from({ length: 400 }, (_, n) => ['"'.repeat(190) + n, n])),
      },
      deep,
      round,
    ];
    for (const value of large) {
      const text = redacted(value);
      assert.ok(Buffer.byteLength(text) <= 65_536, `${Buffer.byteLength(text)} bytes`);
      assert.notEqual(JSON.parse(text), undefined);
    }
    assert.ok(redacted('x'.repeat(1_000_000)).length > 20_000);
  });

  test('reads odd values as they are', () => {
    const value = {
      at: new Date(0),
      big: 12n,
      error: Object.assign(new Error('No.'), { code: 'e' }),
      no: () => 1,
      half: '\ud800',
    };
    assert.deepEqual(kept(value), {
      at: '1970-01-01T00:00:00.000Z',
      big: '12',
      error: { name: 'Error', code: 'e', message: 'No.' },
      half: '\ufffd',
    });
    assert.equal(kept(JSON.parse('{"__proto__":{"password":"x"}}')).password, undefined);
  });
});
