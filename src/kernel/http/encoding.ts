// Which compression an answer gets. Small bodies are sent as they are.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

const smallest = 1024;
const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
};

export const isCompressible = (length: number): boolean => length >= smallest;

/** The best of what the client accepts; one it refuses with `q=0` is not taken. */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const text = header.toLowerCase();
  if (accepts(text, 'br')) return 'br';
  return accepts(text, 'gzip') ? 'gzip' : 'identity';
}

function accepts(header: string, name: string): boolean {
  if (!header.includes(name)) return false;
  return header.split(',').some((part) => {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim());
    return coding === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'identity' ? Promise.resolve(bytes) : compressors[encoding](bytes);
