// Checkpoints of the security log: how far its chain went at a moment, in files in a folder that the operator names. With them, a change
// of the chain itself shows, whoever made it, up to the newest file.
import { join } from 'node:path';
import type { KeyedHash } from '#site/platform/seal.ts';
import type { Reads } from '#store/handles.ts';
import { entriesOf, readText } from '../disk/reading.ts';
import { writeNew } from '../disk/texts.ts';
import { chainIn } from './chain.ts';
import type { LogTables } from './tables.ts';

const format = 'gatehouse-log-checkpoint-1';

export interface Checkpoint {
  readonly at: string;
  /** When the chain began. */
  readonly started_at: string;
  /** The newest entry of that time. */
  readonly id: number;
  readonly seq: number;
  readonly seal: string;
}

const hashOf = (hash: KeyedHash, { at, started_at, id, seq, seal }: Checkpoint): string =>
  hash(`checkpoint\n${JSON.stringify([at, started_at, id, seq, seal])}`);

/** Undefined while there is nothing in the chain. */
export async function newestCheckpoint(db: Reads<LogTables>, at: Date): Promise<Checkpoint | undefined> {
  const chain = await chainIn(db);
  if (chain === undefined) return undefined;
  const newest = await db
    .selectFrom('secsuite_logs_data')
    .select(['id', 'seq', 'seal'])
    .where('id', '>', chain.base_id)
    .where('seal', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { id, seq, seal } = newest ?? { id: chain.base_id, seq: chain.base_seq, seal: chain.base_seal };
  return { at: at.toISOString(), started_at: chain.started_at, id, seq: seq!, seal: seal! };
}

const fileName = (at: string): string => `log-checkpoint-${at.slice(0, 19).replaceAll(':', '-')}Z.json`;

/** Answers the path of the file. */
export async function writeCheckpoint(folder: string, hash: KeyedHash, checkpoint: Checkpoint): Promise<string> {
  const path = join(folder, fileName(checkpoint.at));
  const document = { format, ...checkpoint, hash: hashOf(hash, checkpoint) };
  await writeNew(path, `${JSON.stringify(document, null, 2)}\n`, false);
  return path;
}

export interface StoredCheckpoints {
  readonly checkpoints: readonly Checkpoint[];
  /** Names of files that this site did not write, or that were changed. */
  readonly foreign: readonly string[];
}

const mostFiles = 10_000;

export async function readCheckpoints(folder: string, hash: KeyedHash): Promise<StoredCheckpoints> {
  const files = (await entriesOf(folder)).filter(
    (entry) => entry.isFile() && /^log-checkpoint-.+\.json$/.test(entry.name),
  );
  const newest = files
    .map(({ name }) => name)
    .sort()
    .slice(-mostFiles);
  const checkpoints: Checkpoint[] = [];
  const foreign: string[] = [];
  for (const name of newest) {
    const checkpoint = parse(await readText(join(folder, name), 4096), hash);
    if (checkpoint === undefined) foreign.push(name);
    else checkpoints.push(checkpoint);
  }
  return { checkpoints, foreign };
}

function parse(text: string | undefined, hash: KeyedHash): Checkpoint | undefined {
  try {
    const { hash: stored, ...checkpoint } = JSON.parse(text ?? '') as Checkpoint & { format: string; hash: string };
    return checkpoint.format === format && stored === hashOf(hash, checkpoint) ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}
