// What the owner of a hub sees: the sites over the interface, and the table at /hub. Nobody else sees anything.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aHubHouse, inventory } from '#test/hub-house.ts';
import { demoted, letIn } from '#test/let-in.ts';

const listed = '/api/hub/v1/sites';

eachEngine('The overview of a hub', (engine) => {
  test('lists sites by name, by their last word or by their health, a page at a time', async () => {
    const hub = await aHubHouse(engine);
    for (const [name, status] of [
      ['Mill', 'critical'],
      ['ärea', 'good'],
      ['Brook', 'recommended'],
    ] as const) {
      const { sync } = await hub.knows(name);
      await sync(inventory(`https://${name === 'ärea' ? 'area' : name.toLowerCase()}.example`, { health: { status } }));
      hub.clock.pass(hour);
    }
    await hub.knows('Quiet');
    const { get } = hub.as('administrator');
    const names = async (query: string) => {
      const { body, headers } = await get(`${listed}?${query}`);
      return [...body.map((site: { name: string }) => site.name), headers.get('x-wp-total')];
    };
    assert.deepEqual(await names(''), ['ärea', 'Brook', 'Mill', 'Quiet', '4']);
    assert.deepEqual(await names('orderby=health'), ['Mill', 'Brook', 'ärea', 'Quiet', '4']);
    assert.deepEqual(await names('orderby=synced_at&order=desc'), ['Brook', 'ärea', 'Mill', 'Quiet', '4']);
    assert.deepEqual(await names('per_page=2&page=2'), ['Mill', 'Quiet', '4']);
    assert.deepEqual(await names('search=AREA'), ['ärea', '1']);
    assert.deepEqual(await names('search=brook.example'), ['Brook', '1']);
    assert.deepEqual(await names('search=%25'), ['0']);
  });

  test('finds a site by its address, however people write it', async () => {
    const hub = await aHubHouse(engine);
    for (const domain of [
      'https://hillside.example/School',
      'https://münchen.example',
      'https://mill.example/%C3%84rger/',
    ]) {
      const { sync } = await hub.knows(domain.slice(8, 12));
      assert.equal((await sync(inventory(domain))).status, 200);
    }
    const { get } = hub.as('administrator');
    for (const [search, found] of [
      ['school', 'hill'],
      ['School', 'hill'],
      ['https://HILLSIDE.example/School', 'hill'],
      ['münchen', 'münc'],
      ['MÜNCHEN.example', 'münc'],
      ['xn--mnchen-3ya', 'münc'],
      ['/ärger', 'mill'],
      ['%C3%84rger', 'mill'],
    ] as const) {
      const { body } = await get(`${listed}?search=${encodeURIComponent(search)}`);
      assert.deepEqual(
        body.map(({ name }: { name: string }) => name),
        [found],
        search,
      );
    }
  });

  test('is for administrators, and for nobody else', async () => {
    const hub = await aHubHouse(engine);
    const { id } = await hub.knows('Hillside');
    for (const path of [listed, `${listed}/${id}`]) {
      assert.equal((await hub.get(path)).status, 401);
      assert.equal((await hub.as('editor').get(path)).status, 403);
      assert.equal((await hub.as('administrator').get(path)).status, 200);
    }
    assert.equal((await hub.delete(`${listed}/${id}`)).status, 401);
    assert.equal((await hub.as('editor').delete(`${listed}/${id}`)).status, 403);
    assert.equal((await hub.as('editor').patch(`${listed}/${id}`, { membership: 'paused' })).status, 403);
    assert.equal((await hub.sites.get(id)).membership, 'full');
  });

  test('tells nobody else which numbers there are', async () => {
    const hub = await aHubHouse(engine);
    const { id } = await hub.knows('Hillside');
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { membership: 'paused' }]] as const)
      for (const number of [id, id + 1]) {
        const path = `${listed}/${number}`;
        assert.equal((await hub.request(method, path, { body })).status, 401, method);
        assert.equal((await hub.as('editor').request(method, path, { body })).status, 403, method);
      }
    assert.equal((await hub.as('administrator').get(`${listed}/${id + 1}`)).status, 404);
  });

  test('tells nobody a key, neither in an answer nor in the store nor in the log', async () => {
    const hub = await aHubHouse(engine);
    const { key, sync } = await hub.knows('Hillside');
    await sync(inventory('https://hillside.example'));
    await sync(inventory('https://hillside.example'), { signsWith: 'another' });
    const rows = await hub.app.services.store.db.selectFrom('hub_sites').selectAll().execute();
    const { text } = await hub.as('administrator').get(`${listed}?context=edit`);
    for (const told of [text, JSON.stringify(rows), JSON.stringify(hub.log.lines)])
      assert.equal(told.includes(key), false);
    assert.equal(text.includes('hash'), false);
  });

  test('forgets a site when its owner says so, and does so once', async () => {
    const hub = await aHubHouse(engine);
    const { id, sync } = await hub.knows('Hillside');
    await hub.knows('Riverside');
    const both = await Promise.all([1, 2].map(() => hub.as('administrator').delete(`${listed}/${id}`)));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404]);
    assert.equal(both.find(({ status }) => status === 200)?.body.previous.name, 'Hillside');
    assert.equal((await sync(inventory('https://hillside.example'))).status, 401);
    assert.equal((await hub.as('administrator').get(`${listed}/999999999999999999`)).status, 404);
  });

  test('asks again, within the write, whether somebody may still do that', async () => {
    const hub = await aHubHouse(engine);
    const { id } = await hub.knows('Hillside');
    const was = await demoted(hub);
    const refused = { code: 'rest_forbidden' };
    await assert.rejects(letIn(hub, ['PATCH', `/hub/v1/sites/${id}`], was, { membership: 'paused' }), refused);
    await assert.rejects(letIn(hub, ['DELETE', `/hub/v1/sites/${id}`], was), refused);
    assert.equal((await hub.sites.get(id)).membership, 'full');
  });

  test('is a page behind the sign-in, where the front page leads', async () => {
    const hub = await aHubHouse(engine);
    const front = await hub.get('/');
    assert.deepEqual([front.status, front.headers.get('location')], [302, '/hub']);
    const closed = await hub.get('/hub');
    assert.deepEqual([closed.status, closed.headers.get('location')], [302, '/login?redirect_to=%2Fhub']);
    const editor = await hub.visitor('editor');
    assert.equal((await editor.get('/hub')).status, 403);
    const { text, status } = await (await hub.visitor('administrator')).get('/hub');
    assert.equal(status, 200);
    assert.match(text, /gatehouse hub add NAME/);
  });

  test('shows in words how each site is', async () => {
    const hub = await aHubHouse(engine);
    const { sync } = await hub.knows('Hillside');
    await sync(inventory('https://hillside.example'));
    await hub.knows('Riverside');
    hub.clock.pass(37 * hour);
    const { text } = await (await hub.visitor('administrator')).get('/hub');
    assert.match(text, / href="https:\/\/hillside\.example\/"/);
    for (const words of [
      'Needs improvement: 2 to improve',
      '12 posts, 3 pages, 40 files, 4 comments waiting',
      '52 GB',
      '19 Nov 2026, 02:00 UTC',
      'never; <strong>no report for too long</strong>',
      '2 sites have sent no report for 36 hours',
    ])
      assert.ok(text.includes(words), words);
  });

  test('shows what sites tell as text, whatever it is', async () => {
    const hub = await aHubHouse(engine);
    const nasty = '<script>alert(1)</script>"\'&';
    const { sync } = await hub.knows(nasty);
    const told = { app_version: nasty, health: { status: 'good', database: nasty, runtime_version: nasty } };
    assert.equal((await sync(inventory('https://x.example/"onmouseover=alert(1)', told))).status, 200);
    const { text, headers } = await (await hub.visitor('administrator')).get(
      `/hub?search=${encodeURIComponent('"><script>')}`,
    );
    const { text: all } = await (await hub.visitor('administrator')).get('/hub');
    for (const shown of [text, all]) assert.doesNotMatch(shown, /<script|"onmouseover/);
    assert.match(all, /&lt;script&gt;/);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  });

  test('is turned page by page where there are many, and takes odd questions calmly', async () => {
    const hub = await aHubHouse(engine);
    for (let at = 0; at < 51; at++) await hub.sites.add(`Site ${String(at).padStart(2, '0')}`);
    const { get } = await hub.visitor('administrator');
    const { text } = await get('/hub');
    assert.match(text, /Page 1 of 2/);
    assert.doesNotMatch(text, /Site 50/);
    assert.match((await get('/hub?page=2')).text, /Site 50/);
    const beyond = await get('/hub?page=3&search=site&orderby=health');
    assert.deepEqual([beyond.status, beyond.headers.get('location')], [302, '/hub?search=site&orderby=health&page=2']);
    assert.equal(
      (await get('/hub?page=2&search=nowhere')).headers.get('location'),
      '/hub?search=nowhere&orderby=name&page=1',
    );
    for (const odd of ['page=-1', 'page[]=2', 'search[]=x', 'orderby=key_hash', `search=${'x'.repeat(3_000)}`])
      assert.equal((await get(`/hub?${odd}`)).status, 200, odd);
  });
});
