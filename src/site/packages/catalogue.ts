// The list of packages that may be installed, as the publisher whom the operator trusts signed it.

import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorReason } from '#lib/file-error.ts';
import type { Operator, Catalogue as Place } from '#lib/operator.ts';
import { day, hour, minute, second } from '#lib/spans.ts';
import type { Log } from '#store/engine.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { Clock } from '../platform/clock.ts';
import { BadCatalogue, type Listed } from './catalogue-document.ts';
import { createTrusted, type Trusted } from './catalogue-trusted.ts';
import type { ExtensionsNeeds } from './needs.ts';
import { untrusted } from './refusals.ts';

export interface Catalogue {
  /** Empty where there is none, and while it cannot be trusted. */
  entries(): Promise<readonly Listed[]>;
  find(slug: string): Promise<Listed | undefined>;
  /** The same of what may be installed here. Throws where an old catalogue that has it is shown in the place of the newest. */
  findFree(slug: string): Promise<Listed | undefined>;
  /** Those of so many milliseconds ago will do, and nobody waits long. */
  latest(age: number): Promise<Latest>;
}

export interface Latest {
  readonly entries: readonly Listed[];
  /** Why they may not be those of now, as a sentence. */
  readonly fault?: string;
}

type Needs = AskingNeeds & Pick<ExtensionsNeeds, 'store'>;

export function createCatalogue(needs: Needs): Catalogue {
  const { catalogue: place } = needs.operator;
  if (place === undefined) return none;
  const trusted = createTrusted(needs, place);
  const asking = createAsking(needs, place, trusted);
  const find = async (slug: string): Promise<Listed | undefined> => {
    await asking.look();
    return trusted.entries.find((one) => one.slug === slug);
  };
  return {
    async entries() {
      await asking.look();
      return trusted.entries;
    },
    find,
    async findFree(slug) {
      const one = await find(slug);
      const { old } = trusted;
      if (old?.slugs.has(slug)) throw untrusted(old.why);
      return one?.type === 'free' ? one : undefined;
    },
    async latest(age) {
      const fault = await asking.lately(age);
      return { entries: trusted.entries, ...(fault !== undefined && { fault }) };
    },
  };
}

const none: Catalogue = {
  entries: async () => [],
  find: async () => undefined,
  findFree: async () => undefined,
  latest: async () => ({ entries: [] }),
};

/** When the catalogue is read, and when what is known of it will do. */
interface AskingNeeds extends Pick<ExtensionsNeeds, 'data'> {
  readonly operator: Pick<Operator, 'catalogue' | 'catalogueKey'>;
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** How long it is used, and when it is asked for again after it could not be had. */
const lasting = { good: day, bad: 5 * minute };
/** How long whoever only wants to know waits. */
const glance = 3 * second;

interface Asking {
  /** What could not be had leaves what was known, and is logged. */
  look(): Promise<void>;
  /** One that was had so many milliseconds ago will do; with 0 it is asked for anew. Answers the sentence that says why it could not be had. */
  lately(age: number): Promise<string | undefined>;
}

function createAsking({ outgoing, clock, log, data }: AskingNeeds, place: Place, trusted: Trusted): Asking {
  const source = place.kind === 'file' ? inFile(place.path) : atAddress(place.url, outgoing);
  const kept = keptAnswers(data, place.kind === 'file' ? '' : place.url);
  const told = teller(log, place);
  let last = { state: '', until: 0, had: Number.NEGATIVE_INFINITY };
  const ask = async (state: string, now: number, within?: number): Promise<void> => {
    const bytes = await source.read(within);
    // Of this one, whichever is the newest by now: what another process has had meanwhile is asked for the next time.
    last = { state: `${state} ${await trusted.take(bytes)}`, until: now + lasting.good, had: now };
    told.well();
    if (place.kind === 'url') await kept.keep({ at: now, bytes });
  };
  const look = async (): Promise<void> => {
    const now = clock().getTime();
    try {
      const state = await source.state();
      // Another process may have had a newer one meanwhile.
      const whole = `${state} ${await trusted.newest()}`;
      if (whole === last.state && now < last.until) return;
      last = { ...last, state: whole, until: now + lasting.bad };
      await ask(state, now);
    } catch (error) {
      told.failed(error);
    }
    await trusted.holds().catch(told.failed);
  };
  let looking: Promise<void> | undefined;
  return {
    look() {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    async lately(age) {
      const now = clock().getTime();
      const isYoung = (at: number): boolean => age > 0 && at <= now && now - at <= age;
      if (isYoung(last.had) && (await trusted.holds())) return undefined;
      const copy = await kept.find();
      if (copy !== undefined && isYoung(copy.at) && (await trusted.takes(copy.bytes))) return undefined;
      try {
        await ask(await source.state(), now, glance);
        return undefined;
      } catch (error) {
        if (copy !== undefined && !(error instanceof BadCatalogue)) await trusted.takes(copy.bytes);
        await trusted.holds();
        return sentence(error);
      }
    },
  };
}

/** The log is told once of each reason. */
function teller(log: AskingNeeds['log'], place: Place) {
  let last = '';
  return {
    well() {
      last = '';
    },
    failed(error: unknown) {
      const message = sentence(error);
      if (message === last) return;
      last = message;
      log.warn({ catalogue: named(place) }, message);
    },
  };
}

function sentence(error: unknown): string {
  const reason = fileErrorReason(error);
  const why = reason ? `It cannot be read: ${reason}.` : error instanceof Error ? error.message : String(error);
  return `The catalogue of extensions cannot be used. ${why}`;
}

/** An address may hold what is nobody's business. */
const named = (place: Place): string => (place.kind === 'file' ? place.path : (URL.parse(place.url)?.host ?? ''));

/** A catalogue is read from a local file or from a URL, whose last answer is kept in the data folder. */
interface CatalogueSource {
  /** What tells one state of it from another. */
  state(): Promise<string>;
  /** Takes so many milliseconds at most, or as long as other sites are given. */
  read(within?: number): Promise<Uint8Array>;
}

const most = 5 * 1024 * 1024;
const types = ['application/json', 'text/plain', 'application/octet-stream'];

/** Looked at each time, so that a new one is there at once. */
function inFile(path: string): CatalogueSource {
  return {
    async state() {
      const { size, mtimeMs, ino } = await stat(path);
      return `${size} ${mtimeMs} ${ino}`;
    },
    async read() {
      const found = await stat(path);
      if (!found.isFile() || found.size > most)
        throw new BadCatalogue(`It is not a file, or it has more than ${most} bytes.`);
      return readFile(path);
    },
  };
}

const atAddress = (url: string, outgoing: Pick<Outgoing, 'fetch'>): CatalogueSource => ({
  state: async () => url,
  read: async (within) =>
    (await outgoing.fetch(url, { name: 'catalogue', types, most, ...(within && { within }) })).bytes(),
});

/** What an address answered, for commands: they come and go, and need not ask each time. */
interface KeptAnswer {
  /** In milliseconds. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

interface KeptAnswers {
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

function keptAnswers(data: string, url: string): KeptAnswers {
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
