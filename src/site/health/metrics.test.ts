import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { metricFamily } from '#lib/prometheus.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { createMetrics } from './metrics.ts';

const form =
  /^(?:# HELP \w+ \S.*|# TYPE \w+ (?:counter|gauge|histogram|summary)|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? -?\d[\d.]*(?:e[-+]\d+)?)$/;

describe('The figures of a running process', () => {
  test('count answers by method and status, and how long they took', async () => {
    const metrics = createMetrics('1.2.3', []);
    metrics.answered('GET', 200, 0.5);
    metrics.answered('GET', 200, 20);
    metrics.answered('GET', 404, 7000);
    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('gatehouse_'));
    const duration = 'gatehouse_http_request_duration_seconds';
    assert.deepEqual(lines, [
      'gatehouse_http_requests_total{method="GET",status="200"} 2',
      'gatehouse_http_requests_total{method="GET",status="404"} 1',
      ...['0.001', '0.005', '0.01'].map((le) => `${duration}_bucket{le="${le}",method="GET"} 1`),
      ...['0.05', '0.1', '0.5', '1', '5'].map((le) => `${duration}_bucket{le="${le}",method="GET"} 2`),
      `${duration}_bucket{le="+Inf",method="GET"} 3`,
      `${duration}_sum{method="GET"} 7.0205`,
      `${duration}_count{method="GET"} 3`,
      'gatehouse_info{version="1.2.3"} 1',
    ]);
  });

  test('give invented methods one label together', async () => {
    const metrics = createMetrics('1.2.3', []);
    metrics.answered('BREW', 404, 1);
    metrics.answered('WHEN', 404, 1);
    assert.match(await metrics.text(), /^gatehouse_http_requests_total\{method="other",status="404"\} 2$/m);
  });

  test('leave out what cannot be had just now', async () => {
    const away = async () => {
      throw new Error('away');
    };
    const text = await createMetrics('1.2.3', [away, () => [metricFamily('gauge', 'rooms', 'Rooms.', [])]]).text();
    assert.match(text, /^# TYPE rooms gauge$/m);
    assert.match(text, /^gatehouse_info/m);
  });

  test('do not wait for what does not come', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const text = createMetrics('1.2.3', [() => new Promise<never>(() => {})]).text();
    t.mock.timers.tick(2000);
    assert.match(await text, /^gatehouse_info/m);
  });
});

eachEngine('The figures of a site', (engine) => {
  const figures = async (site: TestSite): Promise<Map<string, number>> => {
    const response = await fetch(`http://127.0.0.1:${site.port}/metrics`);
    const text = await response.text();
    assert.ok(text.endsWith('\n'));
    const lines = text.split('\n').slice(0, -1);
    for (const line of lines) assert.match(line, form);
    const samples = lines.filter((line) => !line.startsWith('#'));
    return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
  };
  const least = (all: Map<string, number>, name: string, value: number): void =>
    assert.ok((all.get(name) ?? -1) >= value, `${name} is ${all.get(name)}`);

  test('tell what the store did, and that word of others arrives', async () => {
    const site = await aSite(engine);
    await site.as('editor').get('/api/core/v2/users');
    const all = await figures(site);
    least(all, 'gatehouse_store_duration_seconds_count{work="read"}', 1);
    least(all, 'gatehouse_store_duration_seconds_count{work="write"}', 1);
    assert.equal(all.get('gatehouse_store_failures_total{work="read"}'), 0);
    assert.equal(all.get('gatehouse_store_current'), 1);
    const underWay = async () => (await figures(site)).get('gatehouse_store_writes_under_way');
    await soon(underWay, 0);
    if (engine.name === 'sqlite') {
      least(all, 'gatehouse_store_commits_total', 1);
      least(all, 'gatehouse_store_size_bytes', 4096);
    } else {
      least(all, 'gatehouse_store_connections{pool="reading",state="idle"}', 1);
      assert.equal(all.get('gatehouse_store_connections{pool="writing",state="wanted"}'), 0);
    }
  });

  test('tell how often a kept answer was sent, and what became of those that are not kept any more', async () => {
    const site = await aSite(engine);
    const greetings = '/api/hello/v1/greetings';
    for (let turn = 0; turn < 3; turn += 1) assert.equal((await site.get(greetings)).status, 200);
    const before = await figures(site);
    assert.equal(before.get('gatehouse_answers_hits_total'), 2);
    least(before, 'gatehouse_answers_misses_total', 1);
    assert.equal(before.get('gatehouse_answers_kept'), 1);
    least(before, 'gatehouse_answers_kept_bytes', 1);
    const greet = async () =>
      assert.equal((await site.as('administrator').post(greetings, { text: 'Hello' })).status, 201);
    await greet();
    await soon(async () => (await figures(site)).get('gatehouse_answers_kept'), 1); // somebody read it: it is made again
    await greet();
    const later = await figures(site);
    assert.equal(later.get('gatehouse_answers_kept'), 0); // nobody did
    assert.equal(later.get('gatehouse_answers_dropped_total{why="outdated"}'), 2);
  });
});
