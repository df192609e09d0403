import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { createMetrics } from '../health/metrics.ts';
import { statusPages } from './status.ts';

const pages = statusPages({
  metrics: createMetrics('1.2.3', []),
  metricsToken: 'sesame',
  ping: async () => {},
  warnings: () => ['Warning: look at this.'],
});
const figures = pages.find(({ path }) => path === '/metrics')!;
const visit = { method: 'GET', id: '1', url: '/', query: {}, form: {} } as const;
const statusFor = async (peer: string, headers: Record<string, string> = {}): Promise<number> =>
  (await figures.visit({ ...visit, headers: { host: 'localhost:8080', ...headers }, peer, address: peer })).status;

test('Warnings stand in /readyz for the machine itself and for the token', async () => {
  const ready = pages.find(({ path }) => path === '/readyz')!;
  const body = async (headers: Record<string, string>) =>
    (await ready.visit({ ...visit, headers, peer: '127.0.0.1', address: '127.0.0.1' })).body;
  assert.equal(await body({ host: 'localhost' }), 'ready\nWarning: look at this.\n');
  assert.equal(await body({ host: 'site.test', authorization: 'Bearer sesame' }), 'ready\nWarning: look at this.\n');
  assert.equal(await body({ host: 'site.test' }), 'ready\n');
});

describe('The figures are read', () => {
  test('by the machine itself', () =>
    checkRows(['127.0.0.1', '127.8.9.10', '::1'], async (peer) => assert.equal(await statusFor(peer), 200)));

  test('by whoever has the token', async () => {
    assert.equal(await statusFor('192.0.2.1', { authorization: 'Bearer sesame' }), 200);
    assert.equal(await statusFor('192.0.2.1', { authorization: 'bearer sesame', via: '1.1 proxy' }), 200);
  });

  test('by nobody else', async () => {
    assert.equal(await statusFor('192.0.2.1'), 404);
    assert.equal(await statusFor('127.0.0.1', { authorization: 'Bearer wrong' }), 404);
    assert.equal(await statusFor('127.0.0.1', { host: 'site.test' }), 404, 'for another name');
  });

  test('not through a proxy on the same machine', () =>
    checkRows(
      ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', 'Via'],
      async (name) => {
        assert.equal(await statusFor('127.0.0.1', { [name.toLowerCase()]: '127.0.0.1' }), 404);
      },
    ));
});
