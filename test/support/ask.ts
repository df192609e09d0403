// One request, sent as it is, on a connection that stays open: half the work of `fetch`, and a body with any method.
import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

export function ask(port: number, { method, path, headers, body = '' }: Asked): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  const length = body.length > 0 ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const to = { port, host: '127.0.0.1', method, path, headers: { ...headers, ...length }, agent };
  const sent = request(to, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('error', reject);
    answer.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const decode = bytes.length > 0 ? decoders[answer.headers['content-encoding'] ?? ''] : undefined;
      const lines = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      resolve({
        status: answer.statusCode ?? 0,
        headers: new Headers(lines),
        text: (decode?.(bytes) ?? bytes).toString('utf8'),
      });
    });
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
