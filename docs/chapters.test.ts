// Commands that security.md and firewall.md show do what the pages say, as they stand there, against a site that serves.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { needs } from '#test/needs.ts';
import { aSitePlace } from '#test/serving.ts';
import { answersTo, blocks, written } from './handbook.ts';

const can = spawnSync('curl', ['--version']).status === 0;

describe('the pages on security', () => {
  const engine = testEngine('sqlite');

  needs(can, 'curl', 'show commands that do what they say', async () => {
    const place = await aSitePlace(engine);
    const { origin } = await place.serve({ GATEHOUSE_SCAN_ROOTS: place.data });
    const pages = [written('security.md'), written('firewall.md')] as const;
    const [rule = ''] = blocks('json', pages[1]);
    writeFileSync(join(place.data, 'rule.json'), rule);
    const [getting = ''] = blocks('sh', written('owner.md'));
    const script = [getting, ...pages.flatMap((page) => blocks('sh ask', page))]
      .join('\n')
      .replace('http://localhost:8080', origin)
      .replace('@rule.json', `@${join(place.data, 'rule.json')}`);
    const answers = await answersTo(script, place);
    assert.equal(answers.length, 27, JSON.stringify(answers));
    const [codes, required, held, passkeys, weak, unused, plain, devices, watched, asked, lent, ...later] = answers;
    assert.deepEqual([codes, passkeys, devices, lent], Array(4).fill({ status: { selected: 'active' } }));
    assert.equal(required.protect_user_group.length, 1);
    assert.equal(held.requirement_settings.strength.group.length, 1);
    assert.deepEqual([weak[0].meta, unused], [{ strength: null }, []]);
    assert.deepEqual([plain.length, plain[0].secsuite_2fa], [1, 'enforced-not-configured']);
    assert.deepEqual([watched.group.length, watched.restrict_capabilities], [1, true]);
    assert.equal(asked.notifications['unrecognized-login'].enabled, true);
    const [seen, locked, found, , scan, scans, uploads, updates, sites, counts, events, modules, tries, ...rules] =
      later;
    assert.deepEqual([seen, locked], [{ ip: '127.0.0.1' }, []]);
    assert.deepEqual(found, [{ id: 1, label: '198.51.100.0/24', comment: 'scrapers' }]);
    assert.deepEqual([scan.status, scans[0].id, uploads.scan_uploads, sites], ['clean', scan.id, true, []]);
    assert.deepEqual(updates, { plugin_automatic_updates: 'all', update_window_start: 3 });
    assert.deepEqual(Object.keys(counts), ['events', 'ips', 'suspicious', 'blocked']);
    assert.ok([24, 25].includes(Object.keys(events.data).length));
    assert.deepEqual([modules.length > 40, tries.max_attempts_host], [true, 7]);
    const [paused, running, tried] = rules;
    assert.notEqual(paused.paused_at, null);
    assert.deepEqual(running, { paused_at: null });
    assert.equal(tried.matched + tried.not_matched + tried.unknown, tried.total);
  });
});
