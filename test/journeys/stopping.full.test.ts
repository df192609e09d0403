import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { inTime } from '#test/in-time.ts';
import { aSite } from '#test/site.ts';
import { editor, host, index, speakTo, writing } from '#test/storms.ts';
import { type Heard, written } from '#test/wire.ts';

// Long for a slow machine, and far from the 30 seconds that a forgotten connection would cost.
const quickly = 10_000;
const engine = () => testEngine('sqlite');

/** How long a site takes to stop, in milliseconds. */
async function stopped(site: Awaited<ReturnType<typeof aSite>>): Promise<number> {
  const started = performance.now();
  await site.app.close();
  return performance.now() - started;
}

test('a site that stops finishes what was asked, and waits for no client that only keeps its connection', async () => {
  const site = await aSite(engine());
  const body = '{"text":"said while it stopped"}';
  const head = writing([`Content-Length: ${body.length}`]);
  const said = speakTo(site, [head, body.slice(0, 9), { wait: 1_500 }, body.slice(9)], { patience: quickly });
  const idle = speakTo(site, [written(index, [host])], { patience: quickly });
  // Both have reached the site long before the rest of the body is sent.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const took = await stopped(site);
  const answered: Heard = await said;
  assert.deepEqual(answered.statuses, [201]);
  assert.match(answered.text, /connection: close/i);
  assert.ok(answered.closed);
  assert.ok((await idle).closed);
  inTime(took, quickly);
});

test('a tunnel that was asked for and then forgotten keeps no site from stopping', async () => {
  const site = await aSite(engine());
  const tunnel = speakTo(site, [written('CONNECT evil.test:443 HTTP/1.1', [host, editor])], { patience: quickly });
  assert.deepEqual((await tunnel).statuses, [404]);
  const silent = speakTo(site, [written('CONNECT evil.test:443 HTTP/1.1', [host])], { patience: quickly });
  await site.get('/healthz');
  inTime(await stopped(site), quickly);
  await silent;
});
