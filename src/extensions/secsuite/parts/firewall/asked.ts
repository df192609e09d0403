// A request on its way past the rules: how rules see it, what was looked at so far, and what is still to be.
import { hasBody, type IncomingRequest } from '#kernel/request.ts';
import type { FormFile, Upload as Sent } from '#kernel/upload.ts';
import type { Known } from '#site/hooks/guards.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Asked, Upload } from './engine/asked.ts';
import type { Engine } from './engine/engine.ts';
import type { Needs } from './engine/needs.ts';

/** What came with it besides its head. */
export type Brought = Pick<Asked, 'form' | 'files' | 'rawBody' | 'rest' | 'write'>;

export type AskedOf = (incoming: IncomingRequest, brought?: Brought) => Asked;

/** `url`: where the site is reached. */
export function createAskedOf(url: string, clock: Clock): AskedOf {
  const { hostname, port, protocol, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, '');
  const secure = protocol === 'https:';
  const serverPort = Number(port) || (secure ? 443 : 80);
  // Written out: it is made for every request.
  return (incoming, brought) => ({
    method: incoming.method,
    protocol: incoming.protocol,
    url: base === '' ? incoming.url : base + incoming.url,
    headers: incoming.headers,
    address: incoming.address,
    peer: incoming.peer,
    port: incoming.port ?? 0,
    time: clock().getTime(),
    secure,
    serverName: hostname,
    serverPort,
    siteHost: hostname,
    form: brought?.form,
    files: brought?.files,
    rawBody: brought?.rawBody,
    rest: brought?.rest,
    write: brought?.write,
  });
}

const personal = ['authorization', 'x-wp-nonce', 'x-http-method-override'];

export const isReading = ({ method }: IncomingRequest): boolean => method === 'GET' || method === 'HEAD';

export const hasSession = ({ headers }: IncomingRequest, cookie: string): boolean =>
  headers.cookie !== undefined && String(headers.cookie).includes(cookie);

/** Whether nobody can become known by it. */
export const isNobodys = (incoming: IncomingRequest, cookie: string): boolean =>
  isReading(incoming) && !hasBody(incoming) && !hasSession(incoming, cookie) && !names(incoming.headers, personal);

const names = (headers: IncomingRequest['headers'], some: readonly string[]): boolean =>
  some.some((name) => headers[name] !== undefined);

/** More of a file is not looked at. */
const mostOfFile = 5 * 2 ** 20;

/** `beginning`: reads so many bytes of it, where rules look into files. */
export async function fileOf(
  { name, path, size, field = 'file', type = '' }: Sent,
  beginning: ((path: string, most: number) => Promise<Buffer>) | undefined,
): Promise<Upload> {
  return { field, name, type, size, contents: await beginning?.(path, mostOfFile) };
}

/** One in a form that nobody takes files from. */
export const fileInForm = ({ field, name, type, bytes }: FormFile): Upload => ({
  field,
  name,
  type,
  size: bytes.length,
  contents: bufferOf(bytes).subarray(0, mostOfFile),
});

/** The same bytes. */
export const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

export interface Passage {
  /** One for the whole way, whatever is changed meanwhile. */
  readonly engine: Engine;
  /** Of a request with a body that comes later. */
  readonly hasBody: boolean;
  readonly isDone: Record<'early' | 'late', boolean>;
  /** A rule of the early pass let it in: nobody looks any more. */
  isAllowed: boolean;
  /** Some value was too long to be looked at as a whole. */
  isTooLong: boolean;
  /** Rules that were told of it. */
  told: ReadonlySet<string>;
  /** Milliseconds of work that are left. */
  left: number;
  form: Readonly<Record<string, unknown>> | undefined;
  bytes: Uint8Array | undefined;
  files: readonly FormFile[] | undefined;
  /** Who asks, and for what, once that is known. */
  known: Known | undefined;
}

/** For each request. */
const budget = 50;

const nothingTold: ReadonlySet<string> = new Set();

/** Written out: it is made for every request. */
export const newPassage = (engine: Engine, hasBody: boolean): Passage => ({
  engine,
  hasBody,
  isDone: { early: engine.sizes.early === 0, late: engine.sizes.late === 0 },
  isAllowed: false,
  isTooLong: false,
  told: nothingTold,
  left: budget,
  form: undefined,
  bytes: undefined,
  files: undefined,
  known: undefined,
});

export const isOver = ({ isDone, isAllowed, isTooLong }: Passage): boolean =>
  isAllowed || (isDone.early && isDone.late && !isTooLong);

/** Whether rules of this pass look at more than the head of a request. */
export const looksAtBody = ({ form, raw, files }: Needs): boolean => form || raw || files;

/** Whether its body is wanted before anybody is known. */
export const wantsBody = (passage: Passage): boolean => {
  const { isDone, isAllowed, hasBody, engine } = passage;
  const { early, late, write } = engine.needs;
  const wants = (done: boolean, needs: Needs): boolean => !done && looksAtBody(needs);
  if (!hasBody || isAllowed) return false;
  return looksAtBody(write) || (!isOver(passage) && (wants(isDone.early, early) || wants(isDone.late, late)));
};

/** What looks at bodies is asked again, once there is more of it. */
export function lookAgain({ engine: { needs }, isDone, isAllowed }: Passage): void {
  if (isAllowed) return;
  for (const pass of ['early', 'late'] as const) if (looksAtBody(needs[pass])) isDone[pass] = false;
}
