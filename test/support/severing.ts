// What lies between a site and its PostgreSQL, and ends a connection in the middle of a write.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Place, TestEngine } from './databases.ts';

/** Before the server is asked to keep what was written, or after it has, of which nobody hears. */
type Moment = 'undone' | 'kept';

export interface Severing {
  /** For a site that speaks to its database through this. */
  readonly engine: TestEngine;
  /** The next write that says this is cut off at its end. */
  sever(saying: string, moment: Moment): void;
}

export async function severing(engine: TestEngine): Promise<Severing> {
  const place = await engine.place();
  const behind = new URL(place.database!);
  const open = new Set<Socket>();
  let next: { readonly saying: string; readonly moment: Moment } | undefined;

  const server = createServer((near) => {
    const far = connect(Number(behind.port), behind.hostname);
    let moment: Moment | undefined;
    const end = () => {
      for (const one of [near, far]) one.destroy();
    };
    for (const one of [near, far]) {
      open.add(one);
      one.on('error', end).on('close', end);
    }
    near.on('data', (bytes) => {
      if (next !== undefined && bytes.includes(next.saying)) {
        ({ moment } = next);
        next = undefined;
      }
      if (moment === 'undone' && bytes.includes('commit')) return end();
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (moment === 'kept' && bytes.includes('COMMIT')) return end();
      near.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  engine.atEnd(async () => {
    server.close();
    for (const one of open) one.destroy();
  });
  const url = new URL(behind);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const through: Place = { ...place, database: url.href };
  return {
    engine: { ...engine, place: async () => through },
    sever: (saying, at) => {
      next = { saying, moment: at };
    },
  };
}
