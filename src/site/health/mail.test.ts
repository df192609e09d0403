import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startMailServer } from '#test/mail-server.ts';
import { readConfig } from '../../config.ts';
import { mail } from './own.ts';

const user = { name: 'site', password: 'secret' };
let server: Awaited<ReturnType<typeof startMailServer>>;
before(async () => {
  server = await startMailServer({ user });
});
after(() => server.stop());

const found = (smtp?: string) =>
  mail(readConfig({ flags: { data: '/srv/site' }, env: { ...(smtp !== undefined && { GATEHOUSE_SMTP: smtp }) } }));

test('without a mail server it is said where messages are, and how to name one', async () => {
  const { state, finding, remedy } = await found();
  assert.deepEqual([state, finding], ['note', 'emails are written to files in /srv/site/mail']);
  assert.match(remedy!, /GATEHOUSE_SMTP/);
});

test('a mail server that lets the site in is fine, and is sent nothing', async () => {
  const { state, finding } = await found(`smtp://site:secret@127.0.0.1:${server.port}`);
  assert.deepEqual([state, finding], ['ok', `127.0.0.1:${server.port} accepts email from the site`]);
  assert.deepEqual(server.arrived, []);
});

test('one that does not, or that is not there, is a warning which tells no password', async () => {
  const refused = await found(`smtp://site:hidden@127.0.0.1:${server.port}`);
  assert.equal(refused.state, 'warning');
  assert.match(refused.finding, /refuses the sign-in of the site: 535 /);
  const away = await found('smtp://site:hidden@127.0.0.1:1');
  assert.match(away.finding, /^The mail server 127\.0\.0\.1:1 cannot be reached: ECONNREFUSED$/);
  assert.doesNotMatch(JSON.stringify([refused, away]), /hidden/);
});
