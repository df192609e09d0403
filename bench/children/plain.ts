// The reference for reads: a bare node:http server that sends the bytes and headers it was given, and knows nothing else.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { given, offer } from '../child.ts';

export interface Answer {
  readonly head: readonly string[];
  readonly body: string;
}

const answers = new Map<string, { head: string[]; body: Buffer }>();
for (const [path, { head, body }] of Object.entries(given<Record<string, Answer>>())) {
  answers.set(path, { head: [...head], body: Buffer.from(body) });
}

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer === undefined) response.writeHead(404).end();
  else response.writeHead(200, answer.head).end(answer.body);
});
server.listen(0, '127.0.0.1');

offer({
  port: async () => {
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
    return (server.address() as AddressInfo).port;
  },
});
