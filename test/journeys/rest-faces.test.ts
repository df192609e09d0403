import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { failureOf, greet } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { testRows } from '#test/rows.ts';
import { type Answer, aSite } from '#test/site.ts';

const nowhere = { status: 404, code: 'rest_no_route', data: { status: 404 } };
const neutralOnly = /core\/v2|\/api\/|core-/;
const classicOnly = /wp\/v2|wp-json|wp-site|wp-block|wp-abilities/;

/** Everything an answer says, without what differs from one to the next or with its length. */
const said = ({ status, headers, text }: Answer): string =>
  JSON.stringify([
    status,
    [...headers].filter(([name]) => !/^(?:date|x-request-id|etag|content-length|content-encoding|vary)$/.test(name)),
    text,
  ]);

const respelled = (text: string): string =>
  text.replaceAll('wp/v2', 'core/v2').replaceAll('wp\\/v2', 'core\\/v2').replaceAll('/wp-json', '/api');

describe('The two faces', () => {
  const engine = testEngine('sqlite');
  const plain = { 'accept-encoding': 'identity' };

  const paths = [
    '/',
    '',
    '/?context=help',
    '/{core}',
    '/hello/v1',
    '/{core}/things',
    '/{core}/things?per_page=1&page=2&_embed',
    '/{core}/things/1?_embed',
    '/{core}/things/99',
    '/{core}/things?page=0',
    '/{core}/things?_envelope&per_page=1',
    '/hello/v1/greetings?_embed',
    '/nope',
  ];
  const greeted = engine.shared(async () => {
    const site = await aSite(engine, withProbe());
    await greet(site, 'hello');
    return site;
  });
  testRows('say the same of each path, but for names and prefix', paths, async (path) => {
    const site = await greeted();
    const neutral = said(await site.get(`/api${path.replace('{core}', 'core/v2')}`, plain));
    const classic = said(await site.get(`/wp-json${path.replace('{core}', 'wp/v2')}`, plain));
    assert.equal(respelled(classic), neutral);
    assert.doesNotMatch(neutral.replaceAll('api.w.org', ''), classicOnly);
    assert.doesNotMatch(classic.replaceAll('api.w.org', ''), neutralOnly);
  });

  test('say the same of OPTIONS and of writes', async () => {
    const site = await aSite(engine, withProbe());
    const admin = site.as('administrator');
    const ask = async (root: string, core: string) => [
      said(await site.options(`${root}/${core}/things`)),
      said(await site.options(`${root}/${core}`)),
      said(await admin.post(`${root}/hello/v1/greetings?_fields=text,_links`, { text: 'x' })),
    ];
    const neutral = (await ask('/api', 'core/v2')).join('\n');
    const classic = (await ask('/wp-json', 'wp/v2')).join('\n');
    assert.equal(
      respelled(classic).replaceAll('greetings/2', 'greetings/1').replace('in_reply_to=2', 'in_reply_to=1'),
      neutral,
    );
  });

  test('each answer 404 for the other’s four names, in any letter case', async () => {
    const site = await aSite(engine, withProbe());
    for (const name of ['core/v2', 'core-site-health/v1', 'core-block-editor/v1', 'core-abilities/v1']) {
      const other = name.replace('core', 'wp');
      for (const path of ['', '/', '/things', '/things/1']) {
        assert.deepEqual(failureOf(await site.get(`/wp-json/${name}${path}`)), nowhere);
        assert.deepEqual(failureOf(await site.get(`/api/${other}${path}`)), nowhere);
      }
    }
    assert.deepEqual(failureOf(await site.get('/wp-json/Core/V2/things')), nowhere);
    assert.deepEqual(failureOf(await site.get('/api/WP/v2/things')), nowhere);
    assert.equal((await site.get('/wp-json/WP/V2/things')).status, 200);
    assert.deepEqual((await site.options('/api/wp/v2/things')).body, []);
  });

  test('rest_route speaks the classic face', async () => {
    const site = await aSite(engine, withProbe());
    const { body } = await site.get('/?rest_route=/wp/v2/things/1');
    assert.equal(body._links.self[0].href, 'http://site.test/wp-json/wp/v2/things/1');
    assert.deepEqual(failureOf(await site.get('/?rest_route=/core/v2/things/1')), nowhere);
  });

  test('a name that only begins like one of the four is neither', async () => {
    const site = await aSite(engine, withProbe());
    assert.deepEqual(failureOf(await site.get('/wp-json/wp/v2x/things')), nowhere);
    assert.equal((await site.get('/wp-json/probe/v1/word/core')).body.word, 'core');
  });
});

describe('Where the faces are', () => {
  const engine = testEngine('sqlite');
  const isApi = ({ headers }: Answer) => headers.get('content-type')?.startsWith('application/json') ?? false;

  test('the neutral prefix is a setting', async () => {
    const site = await aSite(engine, withProbe({ env: { GATEHOUSE_API_PREFIX: 'interface' } }));
    assert.equal((await site.get('/interface/core/v2/things/1')).body._links.self[0].href, href('interface/core/v2'));
    assert.equal(isApi(await site.get('/api/')), false);
    assert.equal(isApi(await site.get('/interfaces/')), false);
  });

  test('either face can be switched off', async () => {
    const neutral = await aSite(engine, withProbe({ env: { GATEHOUSE_API_FACES: 'neutral' } }));
    const classic = await aSite(engine, withProbe({ env: { GATEHOUSE_API_FACES: 'classic' } }));
    const answering = async (site: typeof neutral) => ({
      neutral: isApi(await site.get('/api/')),
      classic: isApi(await site.get('/wp-json/')),
      route: isApi(await site.get('/?rest_route=/')),
    });
    assert.deepEqual(await answering(neutral), { neutral: true, classic: false, route: false });
    assert.deepEqual(await answering(classic), { neutral: false, classic: true, route: true });
  });

  test('a site below a path of its host serves and writes its addresses below it', async () => {
    const site = await aSite(engine, withProbe({ config: { url: 'http://site.test/blog' } }));
    const { body } = await site.get('/blog/wp-json/wp/v2/things/1');
    assert.equal(body._links.self[0].href, 'http://site.test/blog/wp-json/wp/v2/things/1');
    assert.equal((await site.get('/blog/?rest_route=/wp/v2/things/1')).body.id, 1);
    assert.equal((await site.get('/blog/api/')).body.url, 'http://site.test/blog');
  });

  test('addresses come from the setting and never from what a request says of its host', async () => {
    const site = await aSite(engine);
    const forged = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https', forwarded: 'host=evil.test' };
    const { text, headers } = await site.get('/api/', forged);
    assert.doesNotMatch(text + JSON.stringify([...headers]), /evil\.test|https:\/\/site/);
  });

  test('the front page leads to the classic face', async () => {
    const site = await aSite(engine);
    const { headers, text } = await site.get('/');
    assert.equal(headers.get('link'), '<http://site.test/wp-json/>; rel="https://api.w.org/"');
    assert.match(text, /<link rel="https:\/\/api\.w\.org\/" href="http:\/\/site\.test\/wp-json\/">/);
  });
});

const href = (below: string) => `http://site.test/${below}/things/1`;
