// A name server for tests. It answers for the names it was given, says that others are not there, is silent for `slow…` and fails at `broken…`.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

export interface NameServer {
  /** `127.0.0.1:port`. */
  readonly at: string;
  /** Once it was asked so many questions that it is silent to. */
  silentTo(count: number): Promise<void>;
  close(): Promise<void>;
}

const quad = (text: string): Buffer => Buffer.from(text.split('.').map(Number));
const wide = (text: string): Buffer => Buffer.from(text.replaceAll(':', ''), 'hex');

/** Addresses of IPv6 in full, with all their zeros. */
export async function aNameServer(names: Readonly<Record<string, readonly string[]>>): Promise<NameServer> {
  const codeOf = (name: string): number => {
    if (name.startsWith('broken')) return 2;
    return name in names ? 0 : 3;
  };
  const socket = createSocket('udp4');
  let silences = 0;
  const waiting = new Map<number, () => void>();
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    let at = 12;
    for (; question[at] !== 0; at += 1 + question[at]!)
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
    const name = labels.join('.').toLowerCase();
    if (name.startsWith('slow')) return waiting.get(++silences)?.();
    const type = question.readUInt16BE(at + 1);
    const found = names[name]?.filter((address) => (type === 28) === isIPv6(address)) ?? [];
    const head = Buffer.from(question.subarray(0, at + 5));
    head.writeUInt16BE(0x8180 + codeOf(name), 2);
    head.writeUInt16BE(found.length, 6);
    head.writeUInt32BE(0, 8);
    const records = found.map((address) => {
      const bytes = isIPv6(address) ? wide(address) : quad(address);
      return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]), bytes]);
    });
    socket.send(Buffer.concat([head, ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    at: `127.0.0.1:${socket.address().port}`,
    silentTo: (count) => new Promise((resolve) => (silences >= count ? resolve() : waiting.set(count, resolve))),
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
