// Rules of a feed, from the scan that needs them until the software is updated.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeKeys } from '#site/packages/signature.ts';
import { eachEngine } from '#test/databases.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { writeRuleFeed } from '../../../software/rule-feed.ts';

const day = 24 * 3_600_000;
const posts = '/api/core/v2/posts';
const base = '/api/secsuite/v1';
const [ours, others] = [makeKeys(), makeKeys()];

const advisory = (id: string, name: string) => ({
  id,
  aliases: [`alias-${id}`],
  summary: `A hole in ${name}`,
  modified: '2026-11-01T00:00:00Z',
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }] }],
});
const entry = (id: string, vulnerability: string, name: string, products: string[] = []) => ({
  id,
  vulnerability,
  product_keys: products,
  vpatch: [{ parameter: `get.${name}`, match: { type: 'isset' } }],
});

eachEngine('Rules of a feed', (engine) => {
  test('protect from what is installed, change with the feed, and go when they are no longer needed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
    const [feed, advisories] = [join(folder, 'feed.json'), join(folder, 'advisories.json')];
    const time = { now: Date.parse('2026-11-28T12:00:00Z') };
    const write = (entries: unknown, at = time.now, key = ours.privateKey) =>
      writeFileSync(feed, writeRuleFeed(entries, key, new Date(at)));
    writeFileSync(
      advisories,
      JSON.stringify([advisory('GHSA-kysely', 'kysely'), advisory('GHSA-other', 'not-installed')]),
    );
    const [site, suite] = await aGuardedSite(engine, {
      clock: () => new Date(time.now),
      env: {
        GATEHOUSE_ADVISORIES: advisories,
        GATEHOUSE_RULE_FEED: feed,
        GATEHOUSE_RULE_FEED_KEY: ours.publicKey,
      },
    });
    const admin = site.as('administrator');
    const visitor = visitorFrom(site.port, '127.0.0.9');
    const answerTo = async (query: string) => (await visitor.ask(`${posts}?${query}`)).status;
    const scan = async () => {
      time.now += 61_000;
      const { status, body } = await admin.post(`${base}/site-scanner/scans`, {});
      assert.equal(status, 201);
      const rules = (await admin.get(`${base}/firewall/rules?provider=vpatch&context=edit`)).body;
      const found = (await admin.get(`${base}/site-scanner/vulnerabilities`)).body;
      await suite.logs.flush();
      return {
        rules: rules.map((one: Record<string, string>) => [one.provider_ref, one.vulnerability, one.name]),
        resolution: found[0].resolution.slug,
        // What a rule protects from is no problem, and neither is what is gone.
        ...(body.code !== (found[0].resolution.slug === '' ? 'vulnerable-software' : 'clean') && { code: body.code }),
      };
    };
    const needed = [
      entry('1', 'alias-GHSA-kysely', 'first', ['npm:kysely']),
      entry('2', 'GHSA-kysely', 'second', ['npm:another']),
      entry('3', 'GHSA-other', 'third'),
    ];
    const one = { rules: [['1', 'GHSA-kysely', 'A hole in kysely']], resolution: 'patched' };

    write(needed, time.now, others.privateKey);
    assert.deepEqual(await scan(), { rules: [], resolution: '' }, 'signed with another key');
    write(needed, time.now - 31 * day);
    assert.deepEqual(await scan(), { rules: [], resolution: '' }, 'stale');
    write(needed, time.now + 2 * day);
    assert.deepEqual(await scan(), { rules: [], resolution: '' }, 'of tomorrow');
    const log = (await admin.get(`${base}/logs?module[]=firewall&type[]=error`)).body;
    assert.deepEqual(
      log.map((item: { data: { why: string } }) => item.data.why),
      [
        'Its date is in the future.',
        'It is older than 30 days.',
        'It is not signed with the key that this site trusts, or was changed after signing.',
      ],
    );
    assert.equal((await admin.get(`${base}/site-scanner/vulnerabilities?patchable=true`)).body.length, 0);

    write(needed);
    const issued = time.now;
    assert.equal(await answerTo('first=1'), 200);
    assert.deepEqual(await scan(), one);
    assert.deepEqual(
      [await answerTo('first=1'), await answerTo('second=1'), await answerTo('third=1')],
      [403, 200, 200],
    );
    assert.equal((await admin.get(`${base}/site-scanner/vulnerabilities?patchable=true`)).body.length, 1);
    assert.equal((await admin.get(`${base}/site-scanner/vulnerabilities?patchable=false`)).body.length, 0);

    for (const bad of [
      '{',
      '[]',
      '{"format":"gatehouse-rules-1","entries":[{"__proto__":{}}]}',
      `${'['.repeat(20_000)}`,
    ]) {
      writeFileSync(feed, bad);
      assert.deepEqual(await scan(), one, bad.slice(0, 50));
    }
    write([], issued - day);
    assert.deepEqual(await scan(), one, 'older than the one before');

    write([entry('1', 'GHSA-kysely', 'changed')]);
    assert.deepEqual(await scan(), one);
    assert.deepEqual([await answerTo('first=1'), await answerTo('changed=1')], [200, 403]);
    const [{ id }] = (await admin.get(`${base}/firewall/rules?provider=vpatch`)).body;
    await admin.put(`${base}/firewall/rules/${id}`, { paused_at: '2026-11-28T12:00:00' });
    assert.deepEqual(await scan(), { ...one, resolution: '' }, 'a paused rule protects from nothing');
    await admin.put(`${base}/firewall/rules/${id}`, { paused_at: null });
    assert.deepEqual(await scan(), one);
    write([]);
    assert.deepEqual(await scan(), { rules: [], resolution: '' });
    write(needed);
    assert.deepEqual(await scan(), one);
    writeFileSync(advisories, JSON.stringify([advisory('GHSA-other', 'not-installed')]));
    rmSync(feed);
    assert.deepEqual(await scan(), { rules: [], resolution: 'updated' }, 'the hole is gone');
    assert.equal(await answerTo('first=1'), 200);
  });
});
