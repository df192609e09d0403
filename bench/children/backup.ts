// One backup: by our command, or by the tools everybody has. In a process of its own, so that its memory is its own.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { file as word } from '../../src/commands/archive.ts';
import { command } from '../../src/commands/backup.ts';
import { offer } from '../child.ts';
import type { Done } from '../load.ts';

export interface BackupAsked {
  readonly data: string;
  readonly to: string;
}

const nobody = { hasTerminal: false, ask: refuse, askHidden: refuse, line: refuse };

function refuse(): never {
  throw new Error('A backup asks nothing.');
}

async function ours({ data, to }: BackupAsked): Promise<void> {
  const rest = { words: { [word.name]: join(to, 'ours.ghb') }, lists: {}, env: {}, input: nobody, out() {}, note() {} };
  await command.run({ flags: { data }, options: { force: '' }, ...rest });
}

/** Waited for until the disk has it, and as modest, as ours is. */
async function theirs({ data, to }: BackupAsked): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  const copy = join(to, 'theirs.db');
  rmSync(copy, { force: true });
  const database = new DatabaseSync(join(data, 'gatehouse.db'), { readOnly: true });
  await backup(database, copy);
  database.close();
  const archive = join(to, 'theirs.tar');
  execFileSync('tar', ['-cf', archive, '-C', data, 'media']);
  execFileSync('sync', [archive, copy]);
}

const timed = async (work: () => Promise<void>): Promise<Done> => {
  const started = performance.now();
  await work();
  return { done: 1, milliseconds: performance.now() - started };
};

offer({
  ours: (asked: BackupAsked) => timed(() => ours(asked)),
  theirs: (asked: BackupAsked) => timed(() => theirs(asked)),
  /** The most memory it ever held, in bytes. */
  peak: () => process.resourceUsage().maxRSS * 1024,
});
