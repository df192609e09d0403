import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that outgoing connections are given: a server that is killed and started again finds its own free. */
export async function freePort(): Promise<number> {
  const port = randomInt(15_000, 32_000);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return freePort(); // taken
  }
  probe.close();
  await once(probe, 'close');
  return port;
}
