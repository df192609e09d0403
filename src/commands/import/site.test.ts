import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eachEngine, type TestEngine, testEngine } from '#test/databases.ts';
import { freePort } from '#test/free-port.ts';
import { type Ended, gatehouse } from '#test/gatehouse.ts';
import { aSource, everything } from '#test/moving.ts';
import { offendersAmong } from '#test/offenders.ts';
import { aSite, type TestSite } from '#test/site.ts';

const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };

interface Home {
  readonly site: TestSite;
  importing(source: TestSite, ...args: string[]): Promise<Ended>;
}

/** A site beside the one it moves in from, with the same administrator. */
async function aHome(engine: TestEngine): Promise<Home> {
  const site = await aSite(engine);
  const { data, database, url } = site.config;
  await site.credentials('administrator');
  const where = ['--data', data, '--url', url, ...(database ? ['--database', database] : [])];
  const importing = (source: TestSite, ...args: string[]) =>
    gatehouse(
      ['import', 'site', source.origin, '--fetch-allow-hosts', `127.0.0.1:${source.port}`, ...where, ...args],
      env,
    );
  return { site, importing };
}

async function passwordFile(source: TestSite, { site }: Home, role: string): Promise<string> {
  const { authorization = '' } = await source.credentials(role);
  const password = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')[1];
  const file = join(site.config.data, 'app-password');
  writeFileSync(file, `${password}\n`);
  return file;
}

const created = ({ out }: Ended): unknown => {
  const { authors, terms, items, comments } = JSON.parse(out);
  const made = Object.entries(items as Record<string, { created: number }>).map(([type, { created }]) => [
    type,
    created,
  ]);
  return { ...Object.fromEntries(made), users: authors.created, terms: terms.created, comments: comments.created };
};

/** Without what is made of things that nobody is shown, and of blanks between blocks. */
const plainly = (all: object): unknown =>
  JSON.parse(JSON.stringify(all), (name, value) => {
    if (name === 'author_avatar_urls' || name === 'count') return undefined;
    return name === 'rendered' ? value.replaceAll(/\n+/g, '\n').trim() : value;
  });

const nothing = {
  attachment: 0,
  post: 0,
  page: 0,
  wp_block: 0,
  wp_navigation: 0,
  users: 0,
  terms: 0,
  comments: 0,
};

eachEngine('The command import site', (engine) => {
  test('brings everything as it was written, with the application password of an administrator, and nothing twice', async () => {
    const source = await aSource(engine);
    const home = await aHome(engine);
    const file = await passwordFile(source, home, 'administrator');
    const args = ['--user', 'administrator', '--app-password-file', file, '--json'];
    const tried = await home.importing(source, ...args, '--dry-run');
    assert.equal(tried.code, 0, tried.err + tried.out);
    assert.deepEqual((await everything(home.site, 'administrator')).posts, []);
    const moved = await home.importing(source, ...args);
    assert.equal(moved.code, 0, moved.err + moved.out);
    assert.deepEqual(created(moved), {
      ...nothing,
      attachment: 1,
      post: 6,
      page: 2,
      wp_block: 1,
      wp_navigation: 1,
      users: 1,
      terms: 3,
      comments: 3,
    });
    assert.equal(JSON.parse(moved.out).files.fetched, 1);
    assert.deepEqual(created(tried), created(moved));
    const [there, here] = [await everything(source, 'administrator'), await everything(home.site, 'administrator')];
    assert.deepEqual(here, there);
    const again = await home.importing(source, ...args);
    assert.deepEqual([again.code, created(again)], [0, nothing]);
    assert.deepEqual(await everything(home.site, 'administrator'), here);
  });

  for (const faces of ['classic', 'neutral'] as const) {
    test(`brings what everybody is shown, from a site with the ${faces} face alone`, async () => {
      const source = await aSource(engine, faces);
      const home = await aHome(engine);
      const moved = await home.importing(source, '--json');
      assert.equal(moved.code, 0, moved.err + moved.out);
      const told = JSON.parse(moved.out);
      assert.deepEqual([told.errors, told.items.post.skipped], [[], 1]);
      assert.deepEqual(
        told.notes.map(({ code, message }: Record<string, string>) => [code, message]),
        [['protected', 'Its text is protected by a password. To import it, give a user who can edit it with --user.']],
      );
      const [there, here] = [await everything(source), await everything(home.site)];
      there.posts = there.posts!.filter(({ slug }) => slug !== 'locked');
      assert.deepEqual(plainly(here), plainly(there));
      const all = await everything(home.site, 'administrator');
      assert.deepEqual([all.posts!.length, all.blocks, all.comments!.length], [2, [], 2]);
    });
  }

  test('brings what somebody may read who may not edit everything', async () => {
    const source = await aSource(engine);
    const home = await aHome(engine);
    const file = await passwordFile(source, home, 'author');
    const moved = await home.importing(source, '--user', 'author', '--app-password-file', file, '--json');
    assert.match(
      moved.err,
      /Posts: this login cannot edit all of them, so the import reads them as visitors see them\./,
    );
    assert.equal((created(moved) as { post: number }).post, 2);
  });
});

describe('The command import site', () => {
  const engine = testEngine('sqlite');

  test('keeps no HTML as it stands that nobody signed in for', async () => {
    const source = await aSource(engine);
    const home = await aHome(engine);
    const content = '<p onclick="x()">Wet<script>x()</script></p>';
    const made = await source
      .as('administrator')
      .post('/wp-json/wp/v2/posts', { title: 'Unsafe', status: 'publish', content });
    assert.equal(made.status, 201, made.text);
    await home.importing(source);
    const moved = (await everything(home.site, 'administrator')).posts!.find(({ slug }) => slug === 'unsafe');
    assert.match(JSON.stringify(moved), /Wet/);
    assert.doesNotMatch(JSON.stringify(moved), /onclick|<script/);
  });

  test('says a login that is not taken, and an address that may not be asked, in one line, and writes nothing', async () => {
    const source = await aSource(engine);
    const home = await aHome(engine);
    const wrong = await home.importing(source, '--user', 'administrator', '--app-password', 'not this one');
    assert.deepEqual([wrong.code, wrong.out], [1, '']);
    assert.match(wrong.err, /The other site refused this login and application password/);
    assert.doesNotMatch(wrong.err, /not this one/);
    const { data, url } = home.site.config;
    const inside = await gatehouse(['import', 'site', source.origin, '--data', data, '--url', url], env);
    assert.equal(inside.code, 1);
    assert.match(inside.err, /\nThis URL cannot be used\.[^\n]* with --fetch-allow-hosts[^\n]*\n$/);
    assert.deepEqual((await everything(home.site, 'administrator')).posts, []);
  });

  test('says in one line that nobody answers', async () => {
    const { site } = await aHome(engine);
    const { data, url } = site.config;
    const host = `127.0.0.1:${await freePort()}`;
    const run = (...args: string[]) => gatehouse(['import', 'site', ...args, '--data', data, '--url', url], env);
    const away = await run(`http://${host}`, '--fetch-allow-hosts', host);
    assert.equal(away.code, 1);
    assert.match(away.err, /\nThe other server cannot be reached\.\n$/);
  });

  const misuses: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /^gatehouse import site needs URL; /],
    [['a.test', '--app-password', 'x'], /needs the login of its user; give it with --user\.$/],
    [
      ['a.test', '--user', 'ada'],
      /There is no terminal to ask for the application password; add --app-password-file\.$/,
    ],
    [['a.test', '--user', 'a:b', '--app-password', 'x'], /^--user must not contain a colon\.$/],
    [['a.test', '--user', 'a', '--app-password', 'x', '--app-password-file', 'y'], /not both\.$/],
    [
      ['a.test', '--map', 'ada'],
      /^--map needs a login of the other site and a login here, for example a=b, not "ada"\.$/,
    ],
    [['a.test', '--role', 'king'], /^Role king does not exist; /],
    [['a.test', '--rewrite', '2'], /^--rewrite is 1 or 0\.$/],
  ];
  test('what cannot be meant is wrong use', async () => {
    const offenders = await offendersAmong(misuses, String, async ([args, sentence]) => {
      const { code, out, err } = await gatehouse(['import', 'site', ...args]);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err.trimEnd(), sentence);
    });
    assert.deepEqual(offenders, []);
  });
});
