// Files of another site, fetched through the guard. Nobody is told who asks: they lie where everybody may read them.
import { Problem } from '#kernel/problem.ts';
import type { Spool } from '#kernel/upload.ts';
import type { TheirFile, TheirRecord } from '../theirs.ts';
import { patiently } from './patience.ts';
import type { Asking } from './source.ts';

/** Bytes by address; 0 where nobody says. */
export type FileSizes = Map<string, number>;

export interface FetchingOptions extends Asking {
  readonly spool: Spool;
  /** Bytes of an upload. */
  readonly limit: number;
  readonly sizes: ReadonlyMap<string, number>;
}

/** How long one may take, in ms. */
const within = 600_000;
/** Few: there may be very many that are gone. */
const tries = 2;

export function createFetching({ outgoing, pace, signal, spool, limit, sizes }: FetchingOptions) {
  const purpose = { name: 'moving', types: ['*'], most: limit, within, withinHost: true } as const;
  const fetched = async (url: string): Promise<TheirFile> => {
    let size = 0;
    async function* counted(bytes: AsyncIterable<Uint8Array>) {
      for await (const piece of bytes) {
        size += piece.length;
        yield piece;
      }
    }
    const { body } = await outgoing.fetch(url, { ...purpose, ...(signal && { signal }) });
    const { path, release } = await spool(counted(body));
    return { path, size, from: 'fetched', release };
  };
  return async ({ file_url }: TheirRecord): Promise<TheirFile | undefined> => {
    if (file_url === '') return undefined;
    const file = await patiently(() => fetched(file_url), pace, tries);
    const said = sizes.get(file_url) ?? 0;
    if (said === 0 || said === file.size) return file;
    await file.release();
    throw new Problem(502, 'size_mismatch', `It has ${file.size} bytes, and should have ${said}.`);
  };
}
