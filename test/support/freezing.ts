// What lies between a site and its PostgreSQL, and stops to pass anything on without closing anything.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Freezing {
  /** The address of the database, through this. */
  readonly url: string;
  /** The connections there are pass nothing on, ever; new ones do. */
  freeze(): void;
  /** New connections are taken and pass nothing on either, until `thaw`. */
  freezeAll(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function freezing(database: string): Promise<Freezing> {
  const behind = new URL(database);
  const open = new Set<Socket>();
  let isShut = false;
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    open.add(near);
    if (isShut) return;
    const far = connect(Number(behind.port), behind.hostname);
    open.add(far);
    far.on('error', () => far.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(behind);
  url.hostname = '127.0.0.1';
  url.searchParams.delete('connect_timeout'); // how soon it is noticed is what is tried
  url.port = String((server.address() as AddressInfo).port);
  // What was read and not passed on is lost, as it is on a way that is gone. Nobody hears that either end closes.
  const freeze = () => {
    for (const socket of open) socket.unpipe().removeAllListeners('end').pause();
  };
  return {
    url: url.href,
    freeze,
    freezeAll: () => {
      isShut = true;
      freeze();
    },
    thaw: () => {
      isShut = false;
    },
    close: async () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
