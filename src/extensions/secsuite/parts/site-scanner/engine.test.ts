// What the built-in engine finds, however it is wrapped; and which versions advisories affect.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { madeZip } from '#test/zips.ts';
import { createInventory, programFolder } from '../../software/inventory.ts';
import { inspect } from './malware/engine.ts';
import { threatsByForm } from './malware/signatures.ts';
import { baseScore, fixedIn, isAffected, rangeText, readAdvisory } from './vulnerabilities/advisory.ts';
import { createFeed, matchesIn, readFeed } from './vulnerabilities/feed.ts';

const testFile = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)', '7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE', '!$H+H*'].join(''),
);
const base64 = (bytes: Buffer): string => bytes.toString('base64');
const lines = (text: string): string => text.replaceAll(/.{76}/g, '$&\r\n');
const zip = (content: Buffer, name = 'a.txt'): Buffer =>
  madeZip([
    { name: 'b.txt', content: 'harmless' },
    { name, content },
  ]);

describe('site-scanner: the built-in engine', () => {
  test('finds the test file in its usual wrappings', async () => {
    const padded = Buffer.concat([testFile, Buffer.alloc(2_000, 'x')]);
    const wrappings: Record<string, Buffer> = {
      plain: testFile,
      inside: Buffer.concat([Buffer.from('text before '), testFile, Buffer.from(' and after')]),
      zip: zip(padded),
      stored: madeZip([{ name: 'a', content: testFile, stored: true }]),
      'nested zip': zip(zip(zip(padded), 'inner.zip'), 'outer.zip'),
      'zip without its list': zip(padded).subarray(0, -30),
      'zip that lies about the size': madeZip([{ name: 'a', content: padded, head: { packed: 1 } }]),
      'behind a program': Buffer.concat([Buffer.alloc(4_000), zip(padded)]),
      gzip: gzipSync(testFile),
      base64: Buffer.from(`<p>Look: ${base64(testFile)}</p>`),
      'data URL': Buffer.from(`<img src="data:image/png;base64,${base64(testFile)}">`),
      'base64 in lines': Buffer.from(`Content-Transfer-Encoding: base64\r\n\r\n${lines(base64(padded))}\r\n`),
      'base64 of a zip': Buffer.from(base64(zip(padded))),
      'zip of base64': zip(Buffer.from(`x ${base64(padded)}`)),
    };
    const offenders: string[] = [];
    for (const [name, bytes] of Object.entries(wrappings))
      for (const scope of ['upload', 'extension', 'content'] as const) {
        const found = (await inspect(bytes, scope)).map(({ signature }) => signature);
        if (!found.includes('Eicar-Test-File')) offenders.push(`${name} in ${scope}: ${found}`);
      }
    assert.deepEqual(offenders, []);
  });

  test('takes harmless files for harmless, and judges uploads by their form', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    const rows: readonly (readonly [name: string, bytes: Buffer, expected: readonly string[]])[] = [
      ['a.txt', Buffer.from('A text about the EICAR test file.'), []],
      ['a.png', png, []],
      ['b.png', Buffer.concat([png, Buffer.from('\0<?=\0\x9f<?phpa')]), []],
      ['a.zip', zip(Buffer.from('good')), []],
      ['folders.zip', madeZip(Array.from({ length: 20 }, (_, n) => ({ name: `${n}/`, content: '' }))), []],
      ['hashes.txt', Buffer.from(`${'ab01'.repeat(16)}\n`.repeat(3_000)), []],
      ['a.zip', zip(Buffer.from('x'), '../../a'), ['Archive.Traversal']],
      ['a.jpg', png, ['Form.Mismatch']],
      ['a.png', Buffer.concat([png, Buffer.from('<?php x')]), ['Form.CodeInPicture']],
      ['a.php.jpg', Buffer.from('\xff\xd8\xff', 'latin1'), ['Form.ScriptName']],
      ['a.txt', Buffer.from('MZ\x90\0', 'latin1'), ['Form.Program']],
      ['a.svg', Buffer.from('<svg><script>x</script></svg>'), ['Form.ScriptInSvg']],
    ];
    const offenders: string[] = [];
    for (const [name, bytes, expected] of rows) {
      const found = [...(await inspect(bytes, 'upload')), ...threatsByForm(name, bytes)].map((one) => one.signature);
      if (String(found) !== String(expected)) offenders.push(`${name}: ${found}`);
    }
    assert.deepEqual(offenders, []);
  });
});

test('site-scanner: the bundled list is well-formed, and names no version that is installed', async () => {
  const feed = await createFeed({ source: undefined, outgoing: { fetch }, clock: () => new Date() } as never).read(
    AbortSignal.timeout(10_000),
  );
  const extensions = { list: async () => [], newer: async () => ({ versions: new Map<string, string>() }) };
  const inventory = await createInventory({ extensions, version: '0.0.0', root: programFolder }).list(0);
  const names = new Set(inventory.map(({ name }) => name));
  const unfit = feed.advisories.filter(({ links, affected, published }) => {
    const isOurs = affected.every(({ ecosystem, name }) => ecosystem === 'npm' && names.has(name));
    return !isOurs || published === null || !links[0]?.startsWith('https://github.com/advisories/GHSA-');
  });
  assert.deepEqual(
    unfit.map(({ id }) => id),
    [],
  );
  assert.equal(feed.advisories.length, 21);
  assert.equal(new Date(feed.published).toISOString().slice(0, 10), '2026-02-03');
  assert.deepEqual(matchesIn(feed, inventory), []);
});

test('site-scanner: advisories of OSV say which versions are affected', () => {
  const advisory = readAdvisory({
    id: 'GHSA-x',
    affected: [
      {
        package: { ecosystem: 'npm', name: 'a' },
        ranges: [
          {
            type: 'SEMVER',
            events: [{ introduced: '0' }, { fixed: '1.2.0' }, { introduced: '2.0.0' }, { last_affected: '2.1.0' }],
          },
          { type: 'GIT', events: [{ introduced: '0' }] },
        ],
        versions: ['3.0.0-odd'],
      },
    ],
  })!;
  const [affected] = advisory.affected;
  const versions = ['0.1.0', '1.2.0-beta', '1.2.0', '2.0.0', '2.1.0', '2.1.1', '3.0.0-odd', 'unknown'];
  assert.deepEqual(
    versions.filter((one) => isAffected(one, affected!)),
    ['0.1.0', '1.2.0-beta', '2.0.0', '2.1.0', '3.0.0-odd'],
  );
  assert.deepEqual([fixedIn('0.1.0', affected!), fixedIn('2.0.0', affected!)], ['1.2.0', null]);
  assert.equal(rangeText(affected!), '<1.2.0, >=2.0.0 <=2.1.0');
  assert.deepEqual(
    [
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
      'CVSS:3.0/AV:L/AC:H/PR:H/UI:N/S:U/C:H/I:H/A:H',
      'CVSS:3.1/AV:N',
    ].map(baseScore),
    [6.1, 6.4, undefined],
  );
  const named = (id: string, aliases: string[]) => ({
    id,
    aliases,
    affected: [{ package: { ecosystem: 'npm', name: 'a' }, versions: ['1.0.0'] }],
  });
  const feed = readFeed([
    JSON.stringify({
      published: '2026-11-20',
      vulns: [named('GHSA-1', ['CVE-1']), named('OSV-2', ['OSV-1']), named('OSV-1', ['GHSA-1'])],
    }),
    [named('X-1', []), { ...named('X-2', []), withdrawn: '2026-01-01' }, { id: '__proto__' }]
      .map((one) => JSON.stringify(one))
      .join('\n'),
  ]);
  assert.deepEqual(
    [feed.advisories.map(({ id }) => id), new Date(feed.published).getUTCDate()],
    [['CVE-1', 'X-1'], 20],
  );
  assert.throws(() => readFeed(['[]']));
});
