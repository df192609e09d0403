import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon } from '#test/site.ts';

const posts = '/api/core/v2/posts';
const path = '/api/secsuite/v1/firewall/rehearse';
const settings = '/api/secsuite/v1/settings/firewall';

const config = (parameter: string | string[], type: string, value?: unknown) => ({
  type: 'BLOCK',
  rules: [{ parameter, match: { type, ...(value !== undefined && { value }) } }],
});

eachEngine('Trying a rule on requests of the last day', (engine) => {
  test('says which requests match, which do not, and of which it cannot be told without values', async () => {
    const time = { now: noon };
    const [site] = await aGuardedSite(engine, { clock: () => time.now });
    const admin = site.as('administrator');
    const visitor = visitorFrom(site.port, '127.0.0.9');
    const tried = async (body: object) => {
      const { status, body: found } = await admin.post(path, body);
      assert.equal(status, 200, JSON.stringify(found));
      const { matched, unknown } = found;
      return { matched, unknown, paths: found.requests.map((one: { path: string }) => one.path) };
    };
    await visitor.ask(`${posts}?search=union%20select&page=1`);
    await visitor.ask(`${posts}?search=abc`);
    await visitor.ask(posts);
    await admin.post(posts, { title: 'A title', password: 'hidden' });
    assert.deepEqual(await tried({ config: config('get.search', 'isset') }), {
      matched: 2,
      unknown: 0,
      paths: [posts, posts],
    });
    assert.deepEqual(await tried({ config: config('get.search', 'equals', 'abc') }), {
      matched: 1,
      unknown: 0,
      paths: [posts],
    });
    assert.deepEqual(await tried({ config: config('get.search', 'contains', 'union') }), {
      matched: 0,
      unknown: 1,
      paths: [posts],
    });
    assert.deepEqual(
      (await tried({ config: config(['raw.title', 'rest.params.title'], 'equals', 'A title') })).matched,
      1,
    );
    assert.deepEqual((await tried({ config: config('raw.password', 'isset') })).unknown, 1);
    assert.deepEqual((await tried({ config: config('rules', 'current_user_cannot', 'edit_posts') })).matched, 3);

    const rule = {
      name: 'Attacks',
      config: config('get.search', 'regex', '~union\\s+select~i'),
      paused_at: '2026-11-22T10:00:00',
    };
    const { id } = (await admin.post('/api/secsuite/v1/firewall/rules', rule)).body;
    assert.deepEqual(await tried({ id }), { matched: 0, unknown: 2, paths: [posts, posts] });
    assert.equal((await admin.patch(settings, { keep_requests: 'values' })).status, 200);
    await visitor.ask(`${posts}?search=union%20select&page=2`);
    assert.deepEqual(await tried({ id }), { matched: 1, unknown: 2, paths: [posts, posts, posts] });
    assert.equal((await admin.patch(settings, { keep_requests: 'shapes' })).status, 200);
    assert.deepEqual((await tried({ id })).matched, 0, 'values are deleted');
    time.now = new Date(noon.getTime() + 25 * 3_600_000);
    assert.deepEqual(await tried({ config: config('get.search', 'isset') }), { matched: 0, unknown: 0, paths: [] });
    await visitor.ask(`${posts}?search=late`);
    assert.equal((await tried({ config: config('get.search', 'isset') })).matched, 1);
    time.now = noon;
    assert.equal((await tried({ config: config('get.search', 'isset') })).matched, 0, 'the clock was wrong');
  });

  test('refuses visitors and rules that cannot be run, and takes a sample of a flood', async () => {
    const [site] = await aGuardedSite(engine);
    const admin = site.as('administrator');
    const visitor = visitorFrom(site.port, '127.0.0.9');
    const rule = config('get.search', 'isset');
    for (let n = 0; n < 30; n += 1) await visitor.ask(`${posts}?search=${n}`);
    assert.equal((await admin.post(path, { config: rule })).body.matched, 20);
    const answers = [
      await site.as('editor').post(path, { config: rule }),
      await admin.post(path, {}),
      await admin.post(path, { config: config('get.a', 'regex', '/(?=a)/') }),
      await admin.post(path, { id: 99 }),
    ].map(({ status, body }) => [status, body.code]);
    assert.deepEqual(answers, [
      [403, 'rest_forbidden'],
      [400, 'rest_invalid_param'],
      [400, 'rest_invalid_param'],
      [404, 'rest_not_found'],
    ]);
  });
});
