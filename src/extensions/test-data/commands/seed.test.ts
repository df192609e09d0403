import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eachEngine, type TestEngine, testEngine } from '#test/databases.ts';
import { type Ended, gatehouse } from '#test/gatehouse.ts';
import { offendersAmong } from '#test/offenders.ts';
import { noisy } from '#test/pictures.ts';
import { aRemote } from '#test/remote.ts';
import { aMadePlace, type SitePlace } from '#test/serving.ts';

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

const parsed = (ended: Ended) => JSON.parse(fine(ended));

/** A site with an administrator, that does not serve. */
async function aPlace(engine: TestEngine): Promise<SitePlace> {
  const place = await aMadePlace(engine);
  const about = ['--email', 'admin@hillside.example', '--role', 'administrator', '--password-stdin'];
  fine(await place.fed('a long password\n', 'user', 'create', 'admin', ...about));
  return place;
}

const little = ['--terms', '3', '--users', '2', '--media', '1', '--pages', '1', '--posts', '4', '--comments', '10'];

eachEngine('gatehouse seed', (engine) => {
  test('says how much it made and by which seed, and takes that away again', async () => {
    const { run } = await aPlace(engine);
    const { seed, made } = parsed(await run('seed', ...little, '--json'));
    assert.match(seed, /^[0-9a-f]{8}$/);
    assert.deepEqual(made, { categories: 1, tags: 2, users: 2, pictures: 1, posts: 4, pages: 1, comments: 10 });
    const more = await run('seed', '--seed', "the vicar's", ...little);
    assert.match(
      fine(more),
      /^ +CREATED\ncategories +1\ntags +2\nusers +2\npictures +1\nposts +4\npages +1\ncomments +10\n$/,
    );
    assert.match(more.err, /Look at the site: http:\/\/localhost:8080\/\n/);
    assert.match(more.err, /: gatehouse seed --remove --seed 'the vicar'\\''s'\n$/);
    assert.equal(parsed(await run('user', 'list', '--json')).length, 5);
    const one = await run('seed', '--remove', '--seed', "the vicar's", '--yes');
    assert.equal(
      fine(one),
      'Deleted: 6 posts, pages and pictures; 10 comments; 3 categories and tags; 2 users.\n',
      one.err,
    );
    const other = parsed(await run('seed', '--remove', '--yes', '--json'));
    assert.deepEqual(other, { removed: { comments: 10, posts: 6, terms: 3, users: 2 }, stayed: 0, kept: [] });
    assert.equal(fine(await run('seed', '--remove', '--yes')), 'Nothing was deleted.\n');
    assert.equal(parsed(await run('user', 'list', '--json')).length, 1);
    const { code, err } = await run('seed', '--remove', '--seed', 'nosuch', '--yes');
    assert.deepEqual([code, err], [1, 'The site has no test data with the seed "nosuch".\n']);
  });

  test('asks before it publishes anything where people have published something', async () => {
    const { run, serveHere } = await aPlace(engine);
    const { origin } = await serveHere({ GATEHOUSE_ALLOW_INSECURE_CREDENTIALS: 'on' });
    const password = fine(await run('app-password', 'create', 'admin', '--name', 'test')).trim();
    const headers = {
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    };
    fine(await run('seed', ...little));
    fine(await run('seed', ...little));
    const body = JSON.stringify({ title: 'We are here', status: 'publish' });
    assert.equal((await fetch(`${origin}/api/core/v2/posts`, { method: 'POST', headers, body })).status, 201);
    const { code, out, err } = await run('seed', ...little);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /^This site has published content, .* add --yes to publish test data too\.$/m);
    fine(await run('seed', ...little, '--yes'));
  });

  test('says how to switch test data on, where it is off; what was made is taken away all the same', async () => {
    const { run } = await aPlace(engine);
    fine(await run('seed', '--terms', '1', '--users', '0', '--media', '0', '--pages', '0', '--posts', '0'));
    fine(await run('extension', 'deactivate', 'test-data'));
    const { code, out, err } = await run('seed');
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^The extension test-data is off; .* "gatehouse extension activate test-data"\.$/m);
    assert.equal(fine(await run('seed', '--remove', '--yes')), 'Deleted: 1 category or tag.\n');
  });
});

describe('gatehouse seed', () => {
  const engine = testEngine('sqlite');

  test('takes photographs from elsewhere where it is told to; when none come, that is said', async () => {
    const { run } = await aPlace(engine);
    const photos = await aRemote(async ({ url = '' }, response) => {
      if (url.endsWith('/info')) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(await noisy(1_200, 800));
    });
    engine.atEnd(() => photos.close());
    const from = (base: string) => ['--photos', '--datagen-photo-base', base, '--fetch-allow-hosts', photos.host];
    assert.equal(parsed(await run('seed', ...little, ...from(photos.url), '--json')).made.pictures, 1);
    assert.ok(photos.asked.some(({ url = '' }) => /^\/id\/\d+\/1200\/800$/.test(url)));
    const { code, err } = await run('seed', ...little, ...from('http://127.0.0.1:1'));
    assert.equal(code, 1);
    assert.match(err, /^Not finished\. Created so far: categories \(1\), tags \(2\), users \(2\)\.$/m);
    assert.match(err, /\nThe photograph service sent no usable photograph\.\n$/);
    assert.equal(parsed(await run('seed', '--remove', '--yes', '--json')).stayed, 0);
  });

  test('makes nothing without an administrator, and says how there is one', async () => {
    const { run } = await aMadePlace(engine);
    const { code, err } = await run('seed');
    assert.equal(code, 1);
    assert.match(err, /^Test data needs an administrator as its author; create one with "gatehouse user create/m);
  });

  const wrong: readonly [string, RegExp][] = [
    ['--posts 901', /^--posts must be a number from 0 to 900\.$/m],
    ['--media many', /^--media must be a number from 0 to 100\.$/m],
    ['--users=-1', /^--users must be a number from 0 to 1000\.$/m],
    ['--posts 0 --comments 3', /^Comments need posts of the same run/m],
    [`--seed ${'s'.repeat(65)}`, /^--seed can have at most 64 characters\.$/m],
    ['--remove --posts 3', /^--remove cannot be combined with --posts\.$/m],
    ['--remove --photos', /^--remove cannot be combined with --photos\.$/m],
    ['--remove', /^This cannot be undone, and there is no terminal to ask for confirmation; add --yes\.$/m],
  ];
  test('what cannot be meant is wrong use', async () => {
    const { data } = await engine.place();
    const offenders = await offendersAmong(wrong, String, async ([said, sentence]) => {
      const { code, out, err } = await gatehouse(['seed', ...said.split(' '), '--data', data]);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, sentence);
    });
    assert.deepEqual(offenders, []);
  });
});
