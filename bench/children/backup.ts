// One backup: by our command, or by the tools everybody has. In a process of its own, so that its memory is its own.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Readable, Writable } from 'node:stream';
import type { Io } from '#cli/io.ts';
import { file as word } from '../../src/commands/archive.ts';
import { createAsk } from '../../src/commands/ask.ts';
import { command } from '../../src/commands/backup.ts';
import { offer } from '../child.ts';
import type { Done } from '../load.ts';

export interface BackupAsked {
  readonly data: string;
  readonly to: string;
}

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const beModest = (): void => setPriority(constants.priority.PRIORITY_LOW);
const io: Io = {
  env: {},
  cwd: process.cwd(),
  stdin: Readable.from([]),
  stdout: nowhere,
  stderr: nowhere,
  signal: new AbortController().signal,
  process: { ignoreClosedOutput() {}, onFault() {}, lowerPriority: beModest },
};

const archives = (to: string) => ({
  ours: join(to, 'ours.ghb'),
  copy: join(to, 'theirs.db'),
  tar: join(to, 'theirs.tar'),
});

async function ours({ data, to }: BackupAsked): Promise<void> {
  const given = { flags: { data }, options: {}, words: { [word.name]: archives(to).ours }, lists: {} };
  await command.run(createAsk(command, given, io));
}

/** Waited for until the disk has it, and as modest, as ours is. */
async function theirs({ data, to }: BackupAsked): Promise<void> {
  beModest();
  const { copy, tar } = archives(to);
  const database = new DatabaseSync(join(data, 'gatehouse.db'), { readOnly: true });
  await backup(database, copy);
  database.close();
  execFileSync('tar', ['-cf', tar, '-C', data, 'media']);
  execFileSync('sync', [tar, copy]);
}

/** Nothing lies there yet that would have to go first. */
const timed =
  (work: typeof ours) =>
  async (asked: BackupAsked): Promise<Done> => {
    for (const path of Object.values(archives(asked.to))) rmSync(path, { force: true });
    const started = performance.now();
    await work(asked);
    return { done: 1, milliseconds: performance.now() - started };
  };

offer({
  ours: timed(ours),
  theirs: timed(theirs),
  /** The most memory it ever held, in bytes. */
  peak: () => process.resourceUsage().maxRSS * 1024,
});
