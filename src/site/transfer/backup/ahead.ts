// The files of a site one after the other, the next few opened while one is written, and those that are small read.
import type { Entry, Files, Opened } from '../../files/files.ts';
import type { Passed } from './passed.ts';

type Read = Pick<Opened, 'size' | 'modified' | 'each'>;

/** A file with the way to its bytes; nothing when it was erased. */
export interface Coming {
  readonly path: string;
  readonly reading: Promise<Read | undefined>;
}

const most = 16;
/** What is no longer is read whole before its turn; of what is longer, the beginning. */
const small = 2 ** 16;

interface Ahead extends Coming {
  readonly size: number;
  close(): Promise<void>;
}

export async function* ahead(files: Files, passed: Passed): AsyncGenerator<Coming> {
  const waiting: Ahead[] = [];
  try {
    for await (const entry of files.list('', (path) => passed.add(path))) {
      waiting.push(begun(files, entry));
      // Of files that are long only one is open ahead: an object store does not wait for long.
      while (waiting.length > most || (waiting.length > 1 && waiting.at(-1)!.size > small)) yield waiting.shift()!;
    }
    while (waiting.length > 0) yield waiting.shift()!;
  } finally {
    for (const one of waiting) await one.close();
  }
}

type Take = Parameters<Opened['each']>[0];

function begun(files: Files, { path, size }: Entry): Ahead {
  const turn = Promise.withResolvers<Take>();
  turn.promise.catch(() => {}); // nobody asks for it when nothing was read
  const opening = files.open(path);
  const reading = opening.then((opened) => opened && (opened.size <= small ? readWhole(opened) : readOn(opened, turn)));
  reading.catch(() => {}); // heard of when it is its turn
  const close = async (): Promise<void> => {
    turn.reject(new Error('It is not wanted any more.'));
    await (await reading.catch(() => undefined))?.each(nothing).catch(nothing);
  };
  return { path, size, reading, close };
}

const nothing = async (): Promise<void> => {};

/** What is wrong with it is told when its bytes are asked for. */
async function readWhole(opened: Opened): Promise<Read> {
  const pieces: Buffer[] = [];
  let fault: { readonly error: unknown } | undefined;
  try {
    await opened.each(async (piece) => void pieces.push(Buffer.from(piece)));
  } catch (error) {
    fault = { error };
  }
  const each: Opened['each'] = async (take) => {
    for (const piece of pieces) await take(piece);
    if (fault) throw fault.error;
  };
  return { size: opened.size, modified: opened.modified, each };
}

/** Reads as far as it can until its turn comes. */
function readOn(opened: Opened, turn: PromiseWithResolvers<Take>): Read {
  const over = opened.each(async (piece) => (await turn.promise)(piece));
  over.catch(nothing); // heard of when its bytes are asked for
  const each: Opened['each'] = (take) => {
    turn.resolve(take);
    return over;
  };
  return { size: opened.size, modified: opened.modified, each };
}
