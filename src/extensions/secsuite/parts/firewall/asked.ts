// A request as rules look at it: how it came to the door, and what came with it.
import { hasBody, type Knock } from '#kernel/knock.ts';
import type { FormFile, Upload as Sent } from '#kernel/upload.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Asked, Upload } from './engine/asked.ts';

/** What came with it besides its head. */
export type Brought = Pick<Asked, 'form' | 'files' | 'rawBody' | 'rest' | 'write'>;

export type AskedOf = (knock: Knock, brought?: Brought) => Asked;

/** `url`: where the site is reached. */
export function createAskedOf(url: string, clock: Clock): AskedOf {
  const { hostname, port, protocol, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, '');
  const secure = protocol === 'https:';
  const serverPort = Number(port) || (secure ? 443 : 80);
  // Written out: it is made for every request.
  return (knock, brought) => ({
    method: knock.method,
    protocol: knock.protocol,
    url: base === '' ? knock.url : base + knock.url,
    headers: knock.headers,
    address: knock.address,
    peer: knock.peer,
    port: knock.port ?? 0,
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

export const isReading = ({ method }: Knock): boolean => method === 'GET' || method === 'HEAD';

export const hasSession = ({ headers }: Knock, cookie: string): boolean =>
  headers.cookie !== undefined && String(headers.cookie).includes(cookie);

/** Whether nobody can become known by it. */
export const isNobodys = (knock: Knock, cookie: string): boolean =>
  isReading(knock) && !hasBody(knock) && !hasSession(knock, cookie) && !names(knock.headers, personal);

const names = (headers: Knock['headers'], some: readonly string[]): boolean =>
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
