import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePort } from './ports.ts';

const host = '127.0.0.1';

test('Any free port is one that no outgoing connection is given while the site starts', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort({ host, port: 0 })));
  for (const port of ports) assert.ok(port >= 20_000 && port < 32_000, String(port));
});

test('A port that another program holds is refused by its number', async (t) => {
  const port = await freePort({ host, port: 0 });
  const holder = createServer().listen(port, host);
  t.after(() => holder.close());
  await once(holder, 'listening');
  await assert.rejects(freePort({ host, port }), new RegExp(`^Error: Port ${port} on 127\\.0\\.0\\.1 is in use`));
});

test('A host that this machine does not have is refused at once, whatever the port', async () => {
  await assert.rejects(freePort({ host: '192.0.2.1', port: 0 }), /does not have the IP address 192\.0\.2\.1/);
});
