// Commands that security.md shows do what the page says, as they stand there, against a site that serves.
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

describe('whoever keeps the site safe is told', () => {
  const engine = testEngine('sqlite');

  needs(can, 'curl', 'how to ban, to make rules and to ask more of passwords, and every line does it', async () => {
    const place = await aSitePlace(engine);
    const { origin } = await place.serve({ GATEHOUSE_SCAN_ROOTS: place.data });
    const page = written('security.md');
    const [rule = ''] = blocks('json', page);
    writeFileSync(join(place.data, 'rule.json'), rule);
    const [getting = ''] = blocks('sh', written('owner.md'));
    const script = [getting, ...blocks('sh ask', page)]
      .join('\n')
      .replace('http://localhost:8080', origin)
      .replace('@rule.json', `@${join(place.data, 'rule.json')}`);
    const answers = await answersTo(script, place);
    const [seen, found, , locked, paused, running, tried, modules, tries, held, ...rest] = answers;
    const [weak, unused, plain, passkeys, codes, required, ...later] = rest;
    const [devices, watched, asked, lent, scan, scans, uploads, updates, sites, counts, events] = later;
    assert.deepEqual([seen, answers.length], [{ ip: '127.0.0.1' }, 27], JSON.stringify(answers));
    assert.deepEqual(found, [{ id: 1, label: '198.51.100.0/24', comment: 'scrapers' }]);
    assert.deepEqual([locked, running], [[], { paused_at: null }]);
    assert.equal(tried.matched + tried.not_matched + tried.unknown, tried.total);
    assert.notEqual(paused.paused_at, null);
    assert.equal(modules.length > 40, true);
    assert.equal(tries.max_attempts_host, 7);
    assert.deepEqual(Object.keys(counts), ['events', 'ips', 'suspicious', 'blocked']);
    assert.ok([24, 25].includes(Object.keys(events.data).length));
    assert.equal(held.requirement_settings.strength.group.length, 1);
    assert.deepEqual([weak[0].meta, unused], [{ strength: null }, []]);
    assert.deepEqual([plain.length, plain[0].secsuite_2fa], [1, 'not-enabled']);
    assert.deepEqual([passkeys, codes, devices, lent], Array(4).fill({ status: { selected: 'active' } }));
    assert.equal(required.protect_user_group.length, 1);
    assert.deepEqual([watched.group.length, watched.restrict_capabilities], [1, true]);
    assert.equal(asked.notifications['unrecognized-login'].enabled, true);
    assert.deepEqual(updates, { plugin_automatic_updates: 'all', update_window_start: 3 });
    assert.deepEqual([scan.status, scans[0].id, uploads.scan_uploads, sites], ['clean', scan.id, true, []]);
  });
});
