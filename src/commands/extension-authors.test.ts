// What authors and publishers do at the shell: begin an extension, make a package of it, sign what sites may install.
import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { readCatalogue } from '#site/packages/catalogue-document.ts';
import { isPackageSigned } from '#site/packages/signature.ts';
import { unpack } from '#site/packages/unpacking.ts';
import { anAuthor } from '#test/author.ts';
import { madeZip } from '#test/zips.ts';
import { root, version } from '../version.ts';

const { run, at, fine, refused, manifestOf, said } = anAuthor();

describe('gatehouse extension new', () => {
  test('makes a folder with an extension that has its name everywhere', async () => {
    const { out, err } = await fine(run('new', 'bird-watch'));
    assert.equal(out.trim(), at('bird-watch'));
    assert.match(err, /In bird-watch: "npm test" runs its test/);
    assert.deepEqual(readdirSync(at('bird-watch')).sort(), [
      ...['.gitignore', 'bird-watch.test.ts', 'extension.json', 'extension.ts', 'lines.ts', 'node_modules'],
      ...['package.json', 'pages.ts', 'record.ts', 'routes.ts', 'tables.ts', 'tsconfig.json'],
    ]);
    const { slug, name, namespaces, capabilities, requires } = manifestOf('bird-watch');
    assert.deepEqual(requires, { gatehouse: `>=${version()}` });
    assert.deepEqual(
      [slug, name, namespaces, capabilities],
      ['bird-watch', 'Bird watch', ['bird-watch/v1'], ['bird_watch_tidy']],
    );
    const texts = readdirSync(at('bird-watch'), { withFileTypes: true }).filter((one) => one.isFile());
    for (const one of texts) assert.doesNotMatch(readFileSync(at('bird-watch', one.name), 'utf8'), /guest.?book/i);
    const module = await import(at('bird-watch', 'extension.ts'));
    assert.equal(typeof module.default, 'function');
  });

  test('makes it in another folder', async () => {
    mkdirSync(at('mine'));
    const { out } = await fine(run('new', 'bird-watch', '--into', 'mine'));
    assert.equal(out.trim(), at('mine/bird-watch'));
  });

  test('makes nothing for a name that does not do, where something is, and where nothing is', async () => {
    mkdirSync(at('taken'));
    for (const name of ['Bird', '3d', 'bird--watch', 'bird_watch', '../bird', 'b'.repeat(41)])
      await refused(run('new', name), 'NAME must begin with a letter and have at most 40 lowercase letters');
    for (const name of ['embeds', 'core', 'secsuite']) await refused(run('new', name), 'Gatehouse uses the name');
    await refused(run('new', 'taken'), 'exists already');
    await refused(run('new', 'bird', '--into', 'nowhere'), 'The folder');
    await refused(run('new', 'bird', '--into', join(root, 'examples')), 'belongs to Gatehouse itself');
    assert.deepEqual([readdirSync(at()), readdirSync(at('taken'))], [['taken'], []]);
  });
});

describe('gatehouse extension pack', () => {
  beforeEach(async () => {
    await fine(run('new', 'bird-watch'));
  });

  test('makes a package of what the extension is, and leaves what its author works with', async () => {
    mkdirSync(at('bird-watch/words'));
    writeFileSync(at('bird-watch/words/names.json'), '["robin"]');
    const { out } = await fine(run('pack', '--untried', 'bird-watch'));
    assert.equal(out.trim().split(' holds ')[0], at('bird-watch-1.0.0.zip'));
    const { manifest, files } = await unpack(at('bird-watch-1.0.0.zip'), at('unpacked'));
    assert.equal(manifest.slug, 'bird-watch');
    assert.deepEqual(
      files.map(({ path }) => path),
      [
        ...['extension.json', 'extension.ts', 'lines.ts', 'package.json', 'pages.ts', 'record.ts', 'routes.ts'],
        ...['tables.ts', 'words/names.json'],
      ],
    );
    assert.doesNotMatch(readFileSync(at('unpacked/package.json'), 'utf8'), /gatehouse/);
  });

  test('makes the same bytes of the same folder, wherever it lies and whenever it is done', async () => {
    await fine(run('pack', '--untried', 'bird-watch', '--out', 'one.zip'));
    for (const name of ['extension.ts', 'extension.json']) utimesSync(at('bird-watch', name), 1, 1);
    await fine(run('pack', '--untried', 'bird-watch', '--out', 'bird-watch/bird-watch-1.0.0.zip'));
    await fine(run('pack', '--untried', 'bird-watch', '--out', 'two.zip'));
    assert.deepEqual(readFileSync(at('one.zip')), readFileSync(at('two.zip')));
    await fine(run('pack', '--untried', 'bird-watch', '--out', 'two.zip'));
  });

  test('replaces another file only when it is told to', async () => {
    writeFileSync(at('mine.zip'), 'mine');
    await refused(run('pack', '--untried', 'bird-watch', '--out', 'mine.zip'), 'add --force to replace it');
    assert.equal(readFileSync(at('mine.zip'), 'utf8'), 'mine');
    await fine(run('pack', '--untried', 'bird-watch', '--out', 'mine.zip', '--force'));
    assert.notEqual(readFileSync(at('mine.zip'), 'utf8'), 'mine');
  });

  test('makes none of what no site would take', async () => {
    await refused(run('pack', '--untried', 'nowhere'), 'nowhere cannot be used: the file or folder does not exist.');
    await refused(run('pack', '--untried', '.'), 'This folder has no extension.json');
    await refused(
      run('pack', '--untried', 'bird-watch', '--out', 'no/such/folder.zip'),
      'the file or folder does not exist',
    );
    said('bird-watch', { version: '1' });
    await refused(run('pack', '--untried', 'bird-watch'), 'needs a "version" of three numbers');
    said('bird-watch', { version: '1.0.0', entry: 'main.ts' });
    await refused(run('pack', '--untried', 'bird-watch'), 'main.ts does not exist');
    said('bird-watch', { entry: 'bird-watch.test.ts' });
    await refused(run('pack', '--untried', 'bird-watch'), 'bird-watch.test.ts does not exist');
    said('bird-watch', { entry: 'extension.ts' });
    writeFileSync(at('bird-watch/zeros'), Buffer.alloc(2_000_000));
    await refused(run('pack', '--untried', 'bird-watch'), 'grows to more than 100 times its size when unpacked');
    truncateSync(at('bird-watch/zeros'), 300 * 1024 * 1024);
    await refused(run('pack', '--untried', 'bird-watch'), 'This folder has more than 200 MiB');
    rmSync(at('bird-watch/zeros'));
    symlinkSync('/etc/hosts', at('bird-watch/hosts'));
    await refused(run('pack', '--untried', 'bird-watch'), 'hosts is neither a file nor a folder');
    rmSync(at('bird-watch/hosts'));
    writeFileSync(at('bird-watch/what?.txt'), '');
    await refused(run('pack', '--untried', 'bird-watch'), 'does not work on all systems');
    rmSync(at('bird-watch/what?.txt'));
    writeFileSync(at('bird-watch/Lines.ts'), '');
    await refused(run('pack', '--untried', 'bird-watch'), 'are the same name on some systems');
    assert.deepEqual(readdirSync(at()), ['bird-watch']);
  });
});

describe('gatehouse extension sign', () => {
  const list = ['--key', 'mine.key', '--catalogue', 'catalogue.json'];
  const listed = (publicKey: string) => readCatalogue(readFileSync(at('catalogue.json')), publicKey).entries;

  beforeEach(async () => {
    await fine(run('new', 'bird-watch'));
    await fine(run('pack', '--untried', 'bird-watch'));
  });

  test('makes a key that only its owner reads, says what to do with it, and lists the package', async () => {
    const { out, err } = await fine(run('sign', 'bird-watch-1.0.0.zip', ...list));
    const publicKey = out.trim();
    assert.match(publicKey, /^[A-Za-z0-9+/]{43}=$/);
    assert.match(err, /Created a new key pair.*Keep it secret.*GATEHOUSE_CATALOGUE_KEY/s);
    assert.match(err, /Added Bird watch 1\.0\.0 \(bird-watch\) to the catalogue\./);
    assert.equal(statSync(at('mine.key')).mode & 0o777, 0o600);
    assert.ok(!readFileSync(at('catalogue.json'), 'utf8').includes('PRIVATE'));
    const [entry, ...others] = listed(publicKey);
    assert.deepEqual(
      [entry?.slug, entry?.type, entry?.path, others],
      ['bird-watch', 'free', 'bird-watch/extension.ts', []],
    );
    assert.deepEqual(
      [entry?.download_url, entry?.size],
      ['bird-watch-1.0.0.zip', statSync(at('bird-watch-1.0.0.zip')).size],
    );
    assert.ok(entry !== undefined && isPackageSigned(entry, entry.signature, publicKey));
  });

  test('signs with the same key again, puts a new version in the place of the old, and keeps the rest', async () => {
    await fine(run('new', 'album'));
    await fine(run('pack', '--untried', 'album'));
    const about = ['--url', 'https://birds.example/', '--logo', 'https://birds.example/robin.png'];
    const first = await fine(run('sign', 'bird-watch-1.0.0.zip', 'album-1.0.0.zip', ...list, ...about));
    const { issued } = JSON.parse(readFileSync(at('catalogue.json'), 'utf8'));
    assert.match(issued, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    said('bird-watch', { version: '1.1.0' });
    await fine(run('pack', '--untried', 'bird-watch'));
    const second = await fine(run('sign', 'bird-watch-1.1.0.zip', ...list));
    assert.equal(second.out, first.out);
    assert.ok(JSON.parse(readFileSync(at('catalogue.json'), 'utf8')).issued > issued);
    assert.match(second.err, /to the catalogue in place of 1\.0\.0/);
    const entries = listed(first.out.trim());
    assert.deepEqual(
      entries.map(({ slug, version, url }) => [slug, version, url]),
      [
        ['album', '1.0.0', 'https://birds.example/'],
        ['bird-watch', '1.1.0', 'https://birds.example/'],
      ],
    );
    await fine(run('sign', ...list, '--drop', 'album'));
    assert.deepEqual(
      listed(first.out.trim()).map(({ slug }) => slug),
      ['bird-watch'],
    );
  });

  test('says where packages are that lie elsewhere', async () => {
    mkdirSync(at('list'));
    const elsewhere = ['--key', 'mine.key', '--catalogue', 'list/catalogue.json'];
    await refused(run('sign', 'bird-watch-1.0.0.zip', ...elsewhere), 'is not beside the catalogue');
    assert.deepEqual([existsSync(at('mine.key')), readdirSync(at('list'))], [false, []]);
    await fine(run('sign', 'bird-watch-1.0.0.zip', ...elsewhere, '--base', 'https://birds.example/packages'));
    const { entries } = JSON.parse(readFileSync(at('list/catalogue.json'), 'utf8'));
    assert.equal(entries[0].download_url, 'https://birds.example/packages/bird-watch-1.0.0.zip');
  });

  test('makes neither a key nor a catalogue when something is wrong', async () => {
    writeFileSync(at('bad.zip'), madeZip([{ name: '../evil.ts', content: 'x' }]));
    copyFileSync(at('bird-watch-1.0.0.zip'), at('again.zip'));
    await refused(run('sign', 'bad.zip', ...list), /bad\.zip .*not a path inside the archive/);
    await refused(run('sign', 'nothing.zip', ...list), 'the file or folder does not exist');
    await refused(run('sign', 'bird-watch-1.0.0.zip', 'again.zip', ...list), 'Two of these packages are bird-watch');
    await refused(run('sign', 'bird-watch-1.0.0.zip', ...list, '--base', 'http://a.example/'), 'begins with https://');
    await refused(run('sign', ...list, '--drop', 'nobody'), 'The catalogue does not list nobody.');
    await refused(run('sign', 'bird-watch-1.0.0.zip', '--key', 'mine.key'), 'needs --catalogue file');
    assert.deepEqual([existsSync(at('mine.key')), existsSync(at('catalogue.json'))], [false, false]);
  });

  test('takes over no catalogue of somebody else, and none that was changed by hand', async () => {
    await fine(run('sign', 'bird-watch-1.0.0.zip', ...list));
    const before = readFileSync(at('catalogue.json'), 'utf8');
    const others = ['--key', 'other.key', '--catalogue', 'catalogue.json'];
    await refused(run('sign', ...others), 'holds no key');
    assert.equal(existsSync(at('other.key')), false);
    await fine(run('sign', '--key', 'other.key', '--catalogue', 'other.json'));
    await refused(run('sign', ...others), /catalogue\.json cannot be used with the key in .*other\.key/);
    writeFileSync(at('catalogue.json'), before.replace('What visitors', 'Whatever visitors'));
    await refused(run('sign', ...list), 'was changed after signing');
    chmodSync(at('mine.key'), 0o644);
    await refused(run('sign', ...list), 'Other users can read the private key in');
    writeFileSync(at('other.key'), 'no key');
    await refused(run('sign', ...others), 'does not hold an Ed25519 private key');
  });
});
