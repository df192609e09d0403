// A log is read by more people than the site's secrets are meant for: a whole story at the most talkative level tells none of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { asked, eachEngine, testEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { startMailServer } from '#test/mail-server.ts';
import { linkUnder } from '#test/mails.ts';
import { basicOf } from '#test/people.ts';
import { aSitePlace, type SitePlace, stopped } from '#test/serving.ts';
import { aVisitor, tokenIn } from '#test/visitor.ts';

const chosen = { first: 'the-chosen-river-1', wrong: 'the-wrong-river-2', reset: 'the-reset-lake-3' };
const authorise = '/wp-admin/authorize-application.php';
const env = {
  GATEHOUSE_LOG: 'debug+access',
  GATEHOUSE_METRICS_TOKEN: 'metrics-token-of-this-test',
  AWS_ACCESS_KEY_ID: 'access-key-of-this-test',
  AWS_SECRET_ACCESS_KEY: 'secret-access-key-of-this-test',
};

/** Everything that somebody who reads the log must not learn, gathered on the way. */
type Secrets = Map<string, string>;

/** In the forms a log might show it in. */
const forms = (secret: string): string[] => [
  ...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
];

function assertSilent(log: string, secrets: Secrets): void {
  for (const [what, secret] of secrets) {
    assert.ok(secret.length >= 8, `${what} was found out: "${secret}"`);
    for (const form of forms(secret)) assert.ok(!log.includes(form), `${what} stands in the log: ${form}`);
  }
}

/** Somebody signs in, is refused, forgets a password, lets an app in; each with secrets of their own. */
async function story(site: { origin: string }, place: SitePlace, secrets: Secrets): Promise<string> {
  const generated = readFileSync(join(place.data, 'first-password'), 'utf8').trim();
  secrets.set('the generated password', generated);
  const admin = aVisitor(site);
  await admin.signIn('admin', chosen.wrong);
  assert.equal((await admin.signIn('admin', generated)).status, 302);
  for (const [name, value] of admin.cookies) if (value.length > 8) secrets.set(`the cookie ${name}`, value);
  const { text } = await admin.get(`${authorise}?app_name=Phone&success_url=phone://in`);
  const token = tokenIn(text);
  secrets.set('the token of a form', token);
  const form = { app_name: 'Phone', success_url: 'phone://in', approve: '1', _wpnonce: token };
  const granted = await admin.post(authorise, form);
  const password = new URL(granted.to ?? '').searchParams.get('password') ?? '';
  secrets.set('the application password', password);
  const basic = basicOf('admin', password);
  secrets.set('the header with it', basic.replace('Basic ', ''));
  await readingAndRefused(site, basic, token, secrets);
  await forgetting(site, place, secrets);
  return basic;
}

async function readingAndRefused(
  { origin }: { origin: string },
  authorization: string,
  token: string,
  secrets: Secrets,
): Promise<void> {
  const me = await fetch(`${origin}/api/core/v2/users/me`, { headers: { authorization } });
  assert.equal(me.status, 200);
  const users = `${origin}/api/core/v2/users`;
  const wrong = basicOf('admin', chosen.wrong);
  secrets.set('a header with a wrong password', wrong.replace('Basic ', ''));
  assert.equal((await fetch(`${users}/me`, { headers: { authorization: wrong } })).status, 401);
  await fetch(`${users}?_wpnonce=${token}&key=${token}`);
  await fetch(`${users}/me`, { headers: { 'x-wp-nonce': token, authorization } });
  const body = JSON.stringify({ username: 'ben', email: 'ben@site.test', password: chosen.first });
  await fetch(users, { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body });
  const metrics = { authorization: `Bearer ${env.GATEHOUSE_METRICS_TOKEN}`, 'x-forwarded-for': '192.0.2.1' };
  assert.equal((await fetch(`${origin}/metrics`, { headers: metrics })).status, 200);
}

async function forgetting(site: { origin: string }, { data }: SitePlace, secrets: Secrets): Promise<void> {
  const visitor = aVisitor(site);
  await visitor.post('/wp-login.php?action=lostpassword', { user_login: 'ben' });
  const link = await linkUnder(data);
  secrets.set('the key of the link', new URL(link, site.origin).searchParams.get('key') ?? '');
  await visitor.get(link);
  for (const [name, value] of visitor.cookies) if (value.length > 8) secrets.set(`the cookie ${name} later`, value);
  await visitor.post('/login?action=rp', { pass1: chosen.reset, pass2: chosen.reset });
  assert.equal((await visitor.signIn('ben', chosen.reset)).status, 302);
}

type Ask = (statement: string) => Promise<Record<string, unknown>[]>;

function askingOf({ data, where }: SitePlace): Ask {
  const database = where[where.indexOf('--database') + 1];
  if (where.includes('--database')) return (statement) => asked(database ?? '', statement);
  return async (statement) => {
    const file = new DatabaseSync(join(data, 'gatehouse.db'), { timeout: 5000 });
    try {
      return file.prepare(statement).all();
    } finally {
      file.close();
    }
  };
}

const stored = [
  ['users', 'password'],
  ['application_passwords', 'hash'],
  ['sessions', 'hash'],
  ['keys', 'wrapped'],
] as const;

async function addStored(ask: Ask, secrets: Secrets): Promise<void> {
  for (const [table, column] of stored) {
    const rows = await ask(`select ${column} as secret from ${table}`);
    assert.ok(rows.length > 0, table);
    for (const [at, { secret }] of rows.entries()) secrets.set(`${table}.${column} ${at}`, String(secret));
  }
}

eachEngine('The log of a site', (engine) => {
  test('tells no secret, whatever people do and whatever breaks', async () => {
    const place = await aSitePlace(engine);
    const site = await place.serve(env);
    const secrets: Secrets = new Map(Object.entries({ ...place.env, ...env, ...chosen }));
    secrets.delete('GATEHOUSE_LOG');
    const basic = await story(site, place, secrets);
    const ask = askingOf(place);
    await addStored(ask, secrets);
    await ask('alter table sessions rename to elsewhere');
    assert.equal((await aVisitor(site).signIn('ben', chosen.reset)).status, 500);
    await ask('alter table elsewhere rename to sessions');
    await fetch(`${site.origin}/api/core/v2/users/me`, { headers: { authorization: basic } });
    const { out, err } = await stopped(site);
    assert.match(err, /"msg":"A request failed with an unexpected error\."/);
    assert.match(err, /"method":"POST","path":"\/wp-login\.php"/);
    assertSilent(out + err, secrets);
  });
});

describe('The log of a site whose mail server and object store turn it away', () => {
  const engine = testEngine('sqlite');
  const password = 'the-password-of-a-mail-server';

  test('tells neither what opens them nor what waits to be sent', async () => {
    const place = await aSitePlace(engine);
    const user = { name: 'site', password: 'another-password-than-the-one-given' };
    const server = await startMailServer({ user, tls: 'none' });
    engine.atEnd(() => server.stop());
    const site = await place.serve({
      ...env,
      GATEHOUSE_SMTP: `smtp://site:${password}@127.0.0.1:${server.port}`,
      GATEHOUSE_MEDIA: `s3://bucket/prefix?endpoint=http://127.0.0.1:1&region=us-east-1`,
      GATEHOUSE_ADMIN_EMAIL: 'admin@site.test',
    });
    await aVisitor(site).post('/wp-login.php?action=lostpassword', { user_login: 'admin' });
    await site.until(/"msg":"[^"]*(?:mail|SMTP)[^"]*"/i);
    const { out, err } = await stopped(site);
    const secrets = new Map(Object.entries({ ...place.env, ...env, password }));
    secrets.delete('GATEHOUSE_LOG');
    assertSilent(out + err, secrets);
    assert.doesNotMatch(out + err, /action=rp|[?&]key=/);
  });
});

describe('A start that fails', () => {
  const engine = testEngine('sqlite');
  const password = 'the-password-of-a-database';

  test('tells neither the password in the address of a database nor the one in that of a mail server', async () => {
    for (const address of [`postgres://site:${password}@127.0.0.1:1/site`, `postgres://site:${password}@[::`]) {
      const { run } = await aSitePlace(engine);
      const { code, out, err } = await run('serve', '--port', '0', '--database', address);
      assert.notEqual(code, 0);
      assertSilent(out + err, new Map([['the password', password]]));
    }
  });

  for (const [name, value] of [
    ['GATEHOUSE_SMTP', `smtp:/${password}`],
    ['GATEHOUSE_SMTP', `gopher://site:${password}@mail.test`],
    ['GATEHOUSE_SECRET', 'too-short'],
    ['GATEHOUSE_MEDIA', `s3://key:${password}@bucket/prefix`],
  ] as const) {
    test(`tells nothing of ${name}=${value.slice(0, 7)}…`, async () => {
      const { data } = await engine.place();
      const { code, out, err } = await gatehouse(['serve', '--port', '0', '--data', data], { [name]: value });
      assert.equal(code, 2, out + err);
      assertSilent(out + err, new Map([[name, value.includes(password) ? password : value]]));
    });
  }
});
