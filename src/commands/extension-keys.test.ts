// Whoever has the key of a publisher decides what sites install: it goes into no package.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, test } from 'node:test';
import { anAuthor } from '#test/author.ts';
import { madeZip } from '#test/zips.ts';

const { run, at, fine, refused } = anAuthor();

describe('A private key', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----\n';
  beforeEach(async () => {
    await fine(run('new', 'bird-watch'));
  });

  test('is never packed, whatever it is called', async () => {
    for (const [name, content] of [
      ['publisher.key', key],
      ['notes.txt', `Mine:\r\n${key.replace('PRIVATE', 'ENCRYPTED PRIVATE')}`],
    ] as const) {
      writeFileSync(at('bird-watch', name), content);
      await refused(run('pack', '--untried', 'bird-watch'), `${name} holds a private key`);
      rmSync(at('bird-watch', name));
    }
    assert.deepEqual(readdirSync(at()), ['bird-watch']);
  });

  test('is never signed, should a package hold one', async () => {
    const manifest = { slug: 'bell', name: 'Bell', version: '1.0.0', entry: 'extension.ts' };
    const files = [
      { name: 'extension.json', content: JSON.stringify(manifest) },
      { name: 'extension.ts', content: 'export default () => ({})' },
      { name: 'mine.key', content: key },
    ];
    writeFileSync(at('bell.zip'), madeZip(files));
    const list = ['--key', 'mine.key', '--catalogue', 'catalogue.json'];
    await refused(run('sign', 'bell.zip', ...list), /bell\.zip cannot be listed\. mine\.key holds a private key/);
    assert.equal(existsSync(at('mine.key')), false);
  });

  test('is not made in the folder of an extension, and ignored there by git', async () => {
    await fine(run('pack', '--untried', 'bird-watch'));
    for (const inside of ['bird-watch/publisher.key', 'bird-watch/node_modules/publisher.key']) {
      const place = ['--key', inside, '--catalogue', 'catalogue.json'];
      await refused(run('sign', 'bird-watch-1.0.0.zip', ...place), 'name a file outside it');
      assert.deepEqual([existsSync(at(inside)), existsSync(at('catalogue.json'))], [false, false]);
    }
    assert.match(readFileSync(at('bird-watch/.gitignore'), 'utf8'), /^\*\.key$/m);
  });

  test('and what else publishers have beside an extension stays behind', async () => {
    await fine(run('pack', '--untried', 'bird-watch'));
    copyFileSync(at('bird-watch-1.0.0.zip'), at('bird-watch/other.zip'));
    const list = ['--key', 'mine.key', '--catalogue', 'bird-watch/list.json'];
    await fine(run('sign', 'bird-watch/other.zip', ...list));
    writeFileSync(at('bird-watch/raw.key'), Buffer.alloc(32));
    await fine(run('pack', '--untried', 'bird-watch', '--out', 'again.zip'));
    assert.deepEqual(readFileSync(at('again.zip')), readFileSync(at('bird-watch-1.0.0.zip')));
  });
});
