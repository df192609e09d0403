// Files of a site that is running: one that is not to be had now is tried once more, and each must weigh what the site says.
import { Problem } from '#kernel/problem.ts';
import type { Sources } from '../sources.ts';
import type { TheirFile, TheirRecord } from '../theirs.ts';
import { type Pace, patiently } from './patience.ts';

/** Bytes by address; 0 where nobody says. */
export type FileSizes = Map<string, number>;

export interface FetchingOptions {
  readonly sources: Pick<Sources, 'file'>;
  readonly sizes: ReadonlyMap<string, number>;
  readonly pace: Pace;
  readonly dryRun: boolean;
}

/** Few: there may be very many that are gone. */
const tries = 2;

export function createFetching({ sources, sizes, pace, dryRun }: FetchingOptions) {
  return async (record: TheirRecord): Promise<TheirFile | undefined> => {
    const file = await patiently(() => sources.file(record), pace, tries);
    const said = sizes.get(record.file_url) ?? 0;
    if (file === undefined || dryRun || said === 0 || said === file.size) return file;
    await file.release();
    throw new Problem(502, 'size_mismatch', `The file has ${file.size} bytes and not ${said}, as was said.`);
  };
}
