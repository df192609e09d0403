// Requests to a site through a proxy that speaks HTTPS with a certificate of the tests.
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

interface ProxiedAnswer {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

export const over = (
  port: number,
  path: string,
  options: object = {},
  body?: string | Buffer,
): Promise<ProxiedAnswer> =>
  new Promise((resolve, reject) => {
    const host = { host: '127.0.0.1', port, path, servername: 'example.org', rejectUnauthorized: false };
    const asking = request({ ...host, ...options, agent: false }, async (response) => {
      resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
    });
    asking.on('error', reject).end(body);
  });

export async function upSoon(port: number): Promise<void> {
  for (let n = 0; n < 400; n += 1) {
    const { status } = await over(port, '/healthz', { headers: { host: 'example.org' } }).catch(() => ({
      status: undefined,
    }));
    if (status === 200) return;
    await pause(25);
  }
  assert.fail('the proxy does not serve');
}
