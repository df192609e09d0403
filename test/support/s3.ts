// An object store for tests: it believes no signature it has not worked out itself, and fails as it is told.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Keys, Media } from '#lib/operator.ts';
import { type Asked, type Bucket, createBucket, failed, type Reply } from './s3-bucket.ts';
import { refusalOf } from './s3-signature.ts';

/** How a store can fail. */
export type Trouble =
  /** Says this instead of doing anything. */
  | { readonly answers: number; readonly code: string }
  /** Does it, and says after a good beginning that it did not. */
  | { readonly admits: string }
  /** Says this, as if all were well. */
  | { readonly says: string }
  /** Says nothing at all. */
  | 'silent'
  /** Half of the answer, then nothing more. */
  | 'stalls'
  /** Half of the answer, then the connection is closed. */
  | 'truncates'
  /** The connection is closed while the request comes in. */
  | 'hangs up'
  /** Does it, and closes the connection instead of saying so. */
  | 'forgets to answer';

export interface S3Double extends Bucket {
  readonly media: Extract<Media, { kind: 's3' }>;
  readonly keys: Keys;
  /** What was asked, such as `GET a/b`, refused or not. */
  readonly asked: string[];
  /** So many of the next requests that this fits meet with it. */
  trouble(trouble: Trouble, times: number, fits?: (asked: string) => boolean): void;
  /** Nobody answers at its address, until `back`. */
  away(): Promise<void>;
  back(): Promise<void>;
  close(): Promise<void>;
}

export interface DoubleOptions {
  readonly region?: string;
  readonly now?: () => Date;
  /** How many files it lists at once. */
  readonly page?: number;
}

interface Planned {
  readonly trouble: Trouble;
  readonly fits: (asked: string) => boolean;
  times: number;
}

const name = 'media';
const keys: Keys = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

export async function anObjectStore(options: DoubleOptions = {}): Promise<S3Double> {
  const { region = 'us-east-1', now = () => new Date(), page = 7 } = options;
  const bucket = createBucket(name, page, now);
  const asked: string[] = [];
  const planned: Planned[] = [];
  const server = createServer((message, response) => {
    const trust = (body: Buffer): Reply | undefined => {
      const refusal = refusalOf(message, body, { keys, region, now: now() });
      return (
        refusal && { ...failed(refusal.status, refusal.code), ...(refusal.headers && { headers: refusal.headers }) }
      );
    };
    handle(message, response, { bucket, asked, planned, trust }).catch(() => message.destroy());
  });
  server.keepAliveTimeout = 60_000;
  const listen = async (port: number) => void (await once(server.listen(port, '127.0.0.1'), 'listening'));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const away = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    ...bucket,
    asked,
    keys,
    media: { kind: 's3', bucket: name, prefix: '', endpoint: `http://127.0.0.1:${port}`, region },
    trouble: (trouble, times, fits = () => true) => void planned.push({ trouble, times, fits }),
    away,
    back: () => listen(port),
    close: away,
  };
}

interface Room {
  readonly bucket: Bucket;
  readonly asked: string[];
  readonly planned: readonly Planned[];
  trust(body: Buffer): Reply | undefined;
}

function due({ planned }: Room, what: string): Trouble | undefined {
  const plan = planned.find(({ times, fits }) => times > 0 && fits(what));
  if (plan) plan.times -= 1;
  return plan?.trouble;
}

async function handle(message: IncomingMessage, response: ServerResponse, room: Room): Promise<void> {
  const [path = '', query = ''] = (message.url ?? '').split('?');
  const [, host, ...rest] = path.split('/').map(decodeURIComponent);
  const key = rest.join('/');
  const what = `${message.method} ${key}${query === '' ? '' : `?${query}`}`;
  room.asked.push(what);
  const trouble = due(room, what);
  if (trouble === 'hangs up') {
    message.once('data', () => message.socket.destroy());
    message.once('end', () => message.socket.destroy());
    return;
  }
  const body = await bytesOf(message);
  if (trouble === 'silent') return;
  if (typeof trouble === 'object' && 'answers' in trouble) return send(response, failed(trouble.answers, trouble.code));
  if (typeof trouble === 'object' && 'says' in trouble) return send(response, { status: 200, body: trouble.says });
  const { method = '', headers } = message;
  const asked: Asked = { method, key, query: queryOf(query), headers, body };
  const reply = room.trust(body) ?? (host === name ? room.bucket.answer(asked) : failed(404, 'NoSuchBucket'));
  if (trouble === 'forgets to answer') return void message.socket.destroy();
  if (typeof trouble === 'object') return send(response, { ...failed(500, trouble.admits), status: 200 });
  send(response, reply, trouble, method === 'HEAD');
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const queryOf = (query: string): Map<string, string> =>
  new Map(
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]),
  );

function send(response: ServerResponse, reply: Reply, trouble?: 'stalls' | 'truncates', headOnly = false): void {
  const body = Buffer.from(reply.body ?? '');
  response.writeHead(reply.status, { ...reply.headers, 'content-length': body.length });
  if (trouble === undefined) return void response.end(headOnly ? undefined : body);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    if (trouble === 'truncates') response.destroy();
  });
}
