// Where a catalogue is read: in a file of this machine, or at an address, whose last answer is kept beside the data.
import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hour } from '#lib/spans.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { BadCatalogue } from './catalogue-document.ts';

export interface CatalogueSource {
  /** What tells one state of it from another. */
  state(): Promise<string>;
  /** Takes so many milliseconds at most, or as long as other sites are given. */
  read(within?: number): Promise<Uint8Array>;
}

const most = 5 * 1024 * 1024;
const types = ['application/json', 'text/plain', 'application/octet-stream'];

/** Looked at each time, so that a new one is there at once. */
export function inFile(path: string): CatalogueSource {
  return {
    async state() {
      const { size, mtimeMs, ino } = await stat(path);
      return `${size} ${mtimeMs} ${ino}`;
    },
    async read() {
      const found = await stat(path);
      if (!found.isFile() || found.size > most)
        throw new BadCatalogue(`It is no file, or one of more than ${most} bytes.`);
      return readFile(path);
    },
  };
}

export const atAddress = (url: string, outgoing: Pick<Outgoing, 'fetch'>): CatalogueSource => ({
  state: async () => url,
  read: async (within) =>
    (await outgoing.fetch(url, { name: 'catalogue', types, most, ...(within && { within }) })).bytes(),
});

/** What an address answered, for commands: they come and go, and need not ask each time. */
export interface KeptAnswer {
  /** In milliseconds. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

export interface KeptAnswers {
  find(): Promise<KeptAnswer | undefined>;
  /** Where there is no room it is not kept. */
  keep(answer: KeptAnswer): Promise<void>;
}

const draftNames = /^catalogue\.json\.[0-9a-f-]{36}\.part$/;

/** What was begun by a process that ended in the middle of it. */
async function sweepDrafts(data: string, now: number): Promise<void> {
  for (const name of (await readdir(data)).filter((one) => draftNames.test(one))) {
    const place = join(data, name);
    const touched = (await lstat(place).catch(() => undefined))?.mtimeMs ?? now;
    if (touched < now - hour) await rm(place, { force: true });
  }
}

export function keptAnswers(data: string, url: string): KeptAnswers {
  const file = join(data, 'catalogue.json');
  return {
    async find() {
      try {
        const said = JSON.parse(await readFile(file, 'utf8'));
        if (said.url !== url || !Number.isFinite(said.at) || typeof said.text !== 'string') return undefined;
        return { at: said.at, bytes: Buffer.from(said.text) };
      } catch {
        return undefined;
      }
    },
    async keep({ at, bytes }) {
      const draft = `${file}.${randomUUID()}.part`;
      try {
        // An address may hold what is nobody's business.
        await writeFile(draft, JSON.stringify({ url, at, text: Buffer.from(bytes).toString('utf8') }), { mode: 0o600 });
        await rename(draft, file);
        await sweepDrafts(data, at);
      } catch {
        await rm(draft, { force: true }).catch(() => {});
      }
    },
  };
}
