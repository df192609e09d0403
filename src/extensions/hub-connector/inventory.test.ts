import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aHub, fixedSite, type HubDouble, hubKey } from '#test/hub-double.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { picture } from '#test/pictures.ts';
import type { TestSite } from '#test/site.ts';
import { version } from '../../version.ts';

eachEngine('What a hub is told of a site', (engine) => {
  let hub: HubDouble;
  let site: TestSite;
  /** The members that were sent. */
  const told = async () => {
    const { status } = await site.as('administrator').post('/api/hub-connector/v1/sync', { force: true });
    assert.equal(status, 200);
    return hub.told.at(-1)!.body;
  };

  before(async () => {
    hub = await aHub(engine);
    site = await fixedSite(engine, hub);
  });

  test('is what it is and where, and all of it', async () => {
    const { packages, health, stats, imgopt, message_id, ...rest } = await told();
    assert.match(message_id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      client_version: version(),
      domain: 'http://site.test',
      home_url: 'http://site.test',
      admin_url: 'http://site.test/account',
      blog_count: 1,
      app_version: version(),
      projects: {},
      repo_updates: [],
      sso_status: false,
    });
    for (const members of [packages, health, stats, imgopt]) assert.equal(typeof members, 'object');
  });

  test('is which extensions there are, and the one theme', async () => {
    const { plugins, themes } = (await told()).packages;
    const made = { author: 'Gatehouse', author_url: '' };
    assert.deepEqual(plugins['hub-connector/hub-connector'], {
      name: 'Hub connector',
      version: version(),
      plugin_url: '',
      ...made,
      network: false,
      active: true,
    });
    assert.deepEqual(Object.keys(plugins), Object.keys(plugins).toSorted());
    assert.deepEqual(themes, {
      site: { name: 'site', version: version(), ...made, screenshot: '', parent: false, active: true },
    });
  });

  test('is how it is doing', async () => {
    const { health } = await told();
    assert.equal(health.runtime_version, process.version);
    assert.match(health.database, /^(?:SQLite|PostgreSQL) \d/);
    assert.ok(health.disk_free_bytes > 0);
    assert.equal(health.last_backup, null);
    const { passed, recommended, critical } = health.checks;
    const checks = site.app.services.health.checks.filter(({ asks }) => !asks);
    assert.equal(passed + recommended + critical, checks.length - 3, 'all but those that ask, and who asks');
    assert.equal(health.status, critical > 0 ? 'critical' : recommended > 0 ? 'recommended' : 'good');
  });

  test('is how much of what there is', async () => {
    const { stats: before, imgopt } = await told();
    const admin = site.as('administrator');
    for (const status of ['publish', 'publish', 'draft', 'private'])
      await admin.post('/api/core/v2/posts', { title: status, status });
    await admin.post('/api/core/v2/pages', { title: 'A page', status: 'publish' });
    const { body: post } = await admin.post('/api/core/v2/posts', { title: 'Talk', status: 'publish' });
    const comment = { post: post.id, content: 'Hello', status: 'hold', author_name: 'A', author_email: 'a@b.test' };
    assert.equal((await admin.post('/api/core/v2/comments', comment)).status, 201);
    await site.user({ login: 'further', roles: ['author'] });
    const file = await picture(8, 8, 'png');
    const headers = { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="a.png"' };
    assert.equal((await admin.post('/api/core/v2/media', file, headers)).status, 201);
    const { stats } = await told();
    assert.deepEqual(stats, {
      posts: before.posts + 3,
      pages: before.pages + 1,
      comments_pending: before.comments_pending + 1,
      users: before.users + 1,
      attachments: before.attachments + 1,
      attachment_bytes: before.attachment_bytes + file.length,
      media_folders: 0,
      galleries: 0,
      lockouts_24h: 0,
      bans: 0,
      open_issues: 0,
    });
    assert.equal(imgopt.last_run, null);
    assert.equal(imgopt.total_images, 0);
  });

  test('is how often it was attacked, and who is banned, while the security suite is on', async () => {
    const owner = site.as('administrator');
    const created_by = { type: 'user', id: '1' };
    const banned = await owner.post('/api/secsuite/v1/bans/database', { host: '198.51.100.0/24', created_by });
    assert.equal(banned.status, 201);
    for (let guess = 0; guess < 5; guess++) await visitorFrom(site.port, '127.0.0.9').signIn('nobody here', 'a guess');
    const { stats } = await told();
    assert.deepEqual([stats.lockouts_24h, stats.bans], [1, 1]);
  });

  test('is nothing of its people, its secrets and its machine', async () => {
    await told();
    const { text } = hub.told.at(-1)!;
    const { data, secret = '' } = site.config;
    for (const one of [hubKey, secret, data, 'administrator', '@', site.app.services.store.place])
      assert.ok(!text.includes(one), one);
  });
});
