import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { day, hour, minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { headersOf, mailFiles } from '#test/letters.ts';
import { aMailbox } from '#test/mailbox.ts';
import { Hopeless } from '../jobs/job.ts';

const daily = { to: 'ada@site.test', digest: 'security', subject: 'This day', every: day };

eachEngine('a digest', (engine) => {
  test('is one mail of what was gathered, as long after the last as was asked', async () => {
    const { mail, letters, later } = await aMailbox(engine);
    await mail.gather({ ...daily, text: 'One' });
    await later(hour);
    await mail.gather({ ...daily, text: 'Two' });
    await later(22 * hour);
    assert.deepEqual(await letters(), []);
    await later(hour);
    const [digest, ...others] = await letters();
    assert.deepEqual([digest?.to, digest?.subject, others], [daily.to, daily.subject, []]);
    assert.equal(digest?.text, '2026-11-20 12:00 UTC\nOne\n\n2026-11-20 13:00 UTC\nTwo');
    await mail.gather({ ...daily, text: 'Three' });
    await later(23 * hour);
    assert.equal((await letters()).length, 1);
    await later(hour + minute);
    assert.equal((await letters()).at(-1)?.text, '2026-11-21 12:00 UTC\nThree');
  });

  test('is dated when it leaves, and tells only what is still so by then', async () => {
    const { data, mail, store, letters, later } = await aMailbox(engine);
    let open = new Set(['1', '2']);
    mail.sift('security', async (abouts) => new Set(abouts.filter((about) => open.has(about))));
    await mail.gather({ ...daily, text: 'One', about: '1' });
    await mail.gather({ ...daily, text: 'Two', about: '2' });
    await mail.gather({ ...daily, text: 'Of no matter' });
    open = new Set(['2']);
    await later(day);
    const [digest] = await letters();
    assert.equal(digest?.text, '2026-11-20 12:00 UTC\nTwo\n\n2026-11-20 12:00 UTC\nOf no matter');
    const [file = ''] = mailFiles(data);
    assert.match(file, /^20261121T120000000Z-/);
    const written = readFileSync(join(data, 'mail', file), 'utf8');
    assert.equal(headersOf(written).get('Date'), 'Sat, 21 Nov 2026 12:00:00 +0000');
    await mail.gather({ ...daily, text: 'One again', about: '1' });
    await later(day);
    assert.equal((await letters()).length, 1);
    assert.deepEqual(await store.db.selectFrom('mail_entries').selectAll().execute(), []);
  });

  test('is skipped while it is empty, and sent at once when the last was long ago', async () => {
    const { mail, letters, later } = await aMailbox(engine);
    await mail.gather({ ...daily, text: 'One' });
    await later(day);
    await later(3 * day, 3);
    assert.equal((await letters()).length, 1);
    await mail.gather({ ...daily, text: 'Two' });
    await later(minute);
    assert.equal((await letters()).length, 2);
  });

  test('is kept apart from others by its name and its address, and waits unreadable', async () => {
    const { mail, store, letters, later } = await aMailbox(engine);
    await mail.gather({ ...daily, text: 'a secret' });
    await mail.gather({ ...daily, digest: 'other', text: 'another' });
    await mail.gather({ ...daily, to: 'eve@site.test', text: 'a third' });
    const kept = JSON.stringify(await store.db.selectFrom('mail_entries').selectAll().execute());
    assert.doesNotMatch(kept, /secret|another|third/);
    await later(day);
    assert.deepEqual((await letters()).map(({ text }) => text.split('\n')[1]).sort(), [
      'a secret',
      'a third',
      'another',
    ]);
    assert.deepEqual(await store.db.selectFrom('mail_entries').selectAll().execute(), []);
  });

  test('shows two hundred, and says how many more there were', async () => {
    const { mail, store, letters, later } = await aMailbox(engine);
    for (let number = 1; number <= 205; number += 1) await mail.gather({ ...daily, text: `Number ${number}` });
    assert.equal((await store.db.selectFrom('mail_entries').selectAll().execute()).length, 200);
    await later(day);
    const [digest] = await letters();
    assert.match(digest!.text, /Number 200\n\nAnd 5 more\.$/);
  });

  test('that cannot be sent is kept, and tried again with what came meanwhile', async () => {
    const { data, mail, letters, later } = await aMailbox(engine);
    writeFileSync(join(data, 'mail'), 'in the way');
    await mail.gather({ ...daily, text: 'One' });
    await later(day);
    await later(hour, 6);
    await mail.gather({ ...daily, text: 'Two' });
    rmSync(join(data, 'mail'));
    await later(6 * hour);
    const [digest, ...others] = await letters();
    assert.deepEqual(others, []);
    assert.match(digest!.text, /One\n\n.*\nTwo$/);
  });

  test('that nothing was gathered for in a long time is forgotten', async () => {
    const { mail, store, later } = await aMailbox(engine);
    await mail.gather({ ...daily, text: 'One' });
    await later(day);
    await later(32 * day, 4);
    assert.deepEqual(await store.db.selectFrom('mail_digests').selectAll().execute(), []);
  });

  test('tells what was gathered while it was sent once, in the next one, and nothing that never was', async () => {
    const { mail, letters, later } = await aMailbox(engine);
    const names = Array.from({ length: 40 }, (_, number) => `digest ${number}`);
    let gathered = 0;
    const gather = (digest: string) => {
      gathered += 1;
      return mail.gather({ ...daily, digest, every: hour, text: `entry ${gathered}.` });
    };
    for (const name of names) await gather(name);
    for (let round = 0; round < 4; round += 1) {
      let isSent = false;
      const sending = later(hour + minute).finally(() => {
        isSent = true;
      });
      for (let at = 0; !isSent; at += 8)
        await Promise.all([...names, ...names].slice(at % 40, (at % 40) + 8).map(gather));
      await sending;
    }
    await later(hour + minute, 2);
    const told = (await letters()).map(({ text }) => text).join('\n');
    assert.doesNotMatch(told, / more\./);
    assert.equal(told.match(/entry \d+\./g)?.length, gathered);
    assert.equal(new Set(told.match(/entry \d+\./g)).size, gathered);
  });

  test('that a mailbox refuses for good is tried for three days, and dropped; what comes then is a new one', async () => {
    let tried = 0;
    const carry = async () => {
      tried += 1;
      throw new Hopeless('The mail server refused the email permanently: 550.');
    };
    const { mail, store, log, later } = await aMailbox(engine, { carry });
    await mail.gather({ ...daily, text: 'One' });
    await later(4 * day - minute, 4 * 24);
    assert.equal((await store.db.selectFrom('mail_entries').selectAll().execute()).length, 1);
    await later(6 * hour, 6);
    assert.deepEqual(await store.db.selectFrom('mail_entries').selectAll().execute(), []);
    assert.match(JSON.stringify(log.lines.at(-1)), /550\. The digest is deleted\./);
    const before = tried;
    await later(2 * day, 48);
    assert.equal(tried, before);
    await mail.gather({ ...daily, text: 'Two' });
    await later(hour);
    assert.equal(tried, before + 1);
    assert.equal((await store.db.selectFrom('mail_entries').selectAll().execute()).length, 1);
  });
});
