// Messages that wait for one another, so that much that happens makes one mail. What is gathered is kept until that mail was taken.
import type { Transaction } from 'kysely';
import { day, hour } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import { Hopeless, type Work } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Seal } from '../platform/seal.ts';
import { type Deliver, mailLane } from './delivering.ts';
import type { Letter } from './letter.ts';
import type { MailDigestsTable, MailTables } from './tables.ts';

export interface Entry {
  readonly to: string;
  /** Entries of one name to one address become one mail. */
  readonly digest: string;
  /** Of the mail; the newest entry says it. */
  readonly subject: string;
  readonly text: string;
  /** How long after the last such mail the next one is sent, in milliseconds. */
  readonly every: number;
  /** What it is about, for a digest that is sifted. */
  readonly about?: string;
}

/** Of what the entries of a digest are about, that which is still worth telling. */
export type Sift = (abouts: readonly string[]) => Promise<ReadonlySet<string>>;

interface Digests {
  addIn(tx: Transaction<MailTables>, entry: Entry): Promise<void>;
  /** When a digest of this name is sent, what is no longer so is left out of it. */
  sift(digest: string, sift: Sift): void;
  /** Puts those that are due into the queue. */
  queueDue(): Promise<void>;
  /** Forgets addresses that nothing was gathered for in a long time. */
  forgetIn(tx: Transaction<MailTables>, now: Date): Promise<void>;
}

interface Needs {
  readonly store: Store<MailTables>;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, 'kind'>;
  readonly seal: Seal;
  readonly deliver: Deliver;
  /** The letter of this subject and text, from the site as it is now; `rest` tells it from others of that moment. */
  letterOf(message: { to: string; subject: string; text: string }, date: Date, rest: string): Promise<Letter>;
}

/** More are counted, and not kept. */
const mostEntries = 200;
const mostAtOnce = 100;
const triedAgainAfter = 6 * hour;
/** So long a mailbox that wants nothing is tried with what was due for it. */
const refusedFor = 3 * day;
const forgottenAfter = 30 * day;

type Row = { [K in keyof MailDigestsTable]: K extends 'id' ? number : MailDigestsTable[K] };

export function createDigests(needs: Needs): Digests {
  const { store, clock, seal } = needs;
  const sifts = new Map<string, Sift>();
  const queue = needs.jobs.kind<{ readonly digest: number }>({
    name: 'mail.digest',
    about: 'Sends the digest of one email address',
    lane: mailLane,
    serving: true,
    run: async ({ digest }, work) => send(needs, sifts, digest, work),
  });
  return {
    sift: (digest, sift) => void sifts.set(digest, sift),
    async addIn(tx, { to, digest, subject, text, every, about: subjectMatter }) {
      const now = clock();
      const { id, gathered } = await counted(tx, { to, digest, subject, every }, now);
      if (gathered > mostEntries) return;
      const sealed = seal.close(written(text.slice(0, longestEntry), subjectMatter), about(id));
      await tx
        .insertInto('mail_entries')
        .values({ digest_id: id, added_at: instant(now), sealed })
        .execute();
    },
    async queueDue() {
      const now = clock();
      for (const id of await due(store, now))
        await store.write(async (tx, during: During) => {
          if (await putOff(tx, id, now)) await queue.addIn(tx, during, { digest: id }, { key: String(id) });
        });
    },
    async forgetIn(tx, now) {
      const long = instant(new Date(now.getTime() - forgottenAfter));
      await tx.deleteFrom('mail_digests').where('gathered', '=', 0).where('due_at', '<', long).execute();
    },
  };
}

const longestEntry = 4_000;

const about = (digest: number): string => `mail digest ${digest}`;

/** The row of this digest with one entry more. Whoever adds another waits for this write. */
function counted(tx: Transaction<MailTables>, given: Omit<Entry, 'text' | 'about'>, now: Date) {
  const { to, digest, subject, every } = given;
  const due_at = instant(new Date(now.getTime() + every));
  return tx
    .insertInto('mail_digests')
    .values({ address: to, digest, subject, every, since: instant(now), due_at, gathered: 1 })
    .onConflict((on) =>
      on
        .columns(['address', 'digest'])
        .doUpdateSet((eb) => ({ subject, every, gathered: eb('mail_digests.gathered', '+', 1) })),
    )
    .returning(['id', 'gathered'])
    .executeTakeFirstOrThrow();
}

const due = async ({ db }: Store<MailTables>, now: Date): Promise<number[]> =>
  (
    await db
      .selectFrom('mail_digests')
      .select('id')
      .where('due_at', '<=', instant(now))
      .where('gathered', '>', 0)
      .orderBy('due_at')
      .limit(mostAtOnce)
      .execute()
  ).map(({ id }) => id);

/** So late it is tried again, unless it succeeds. False when somebody else did this. */
async function putOff(tx: Transaction<MailTables>, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('mail_digests')
    .set({ due_at: instant(new Date(now.getTime() + triedAgainAfter)) })
    .where('id', '=', id)
    .where('due_at', '<=', instant(now))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function send(needs: Needs, sifts: ReadonlyMap<string, Sift>, id: number, { signal }: Work) {
  const { store, deliver, letterOf, clock } = needs;
  const found = await gatheredFor(needs, id);
  if (found === undefined) return undefined;
  const { row, entries, last, first } = found;
  const cleared = () => clear(store, row, last.id, clock());
  const kept = await sifted(entries, sifts.get(row.digest));
  const gathered = row.gathered - (entries.length - kept.length);
  if (gathered === 0) return void (await cleared());
  const message = { to: row.address, subject: row.subject, text: digestText(kept, gathered) };
  // From when it was taken up: the same letter for as long as this job tries, so that tried again it is known for the same.
  const letter = await letterOf(message, takenUp(row), `digest-${id}-${last.id}`);
  await deliver(letter, signal).catch(async (error) => {
    const isOld = clock().getTime() - new Date(first.at).getTime() > row.every + refusedFor;
    if (!(error instanceof Hopeless) || !isOld) throw error;
    await cleared();
    throw new Hopeless(`${error.message} The digest is deleted.`);
  });
  await cleared();
  return undefined;
}

const takenUp = ({ due_at }: Row): Date => new Date(new Date(due_at).getTime() - triedAgainAfter);

interface Kept {
  readonly text: string;
  readonly about?: string | undefined;
}

/** As an entry is kept: what it is about goes before the text, apart by a sign that no text of ours begins with. */
const written = (text: string, about: string | undefined): string =>
  about === undefined ? text : `${apart}${about}${apart}${text}`;

function read(kept: string): Kept {
  if (!kept.startsWith(apart)) return { text: kept };
  const end = kept.indexOf(apart, 1);
  return { about: kept.slice(1, end), text: kept.slice(end + 1) };
}

const apart = '\u001e';

/** What says nothing of what it is about is always told. */
async function sifted<E extends Kept>(entries: readonly E[], sift: Sift | undefined): Promise<readonly E[]> {
  if (sift === undefined) return entries;
  const holds = await sift(entries.flatMap(({ about }) => about ?? []));
  return entries.filter(({ about }) => about === undefined || holds.has(about));
}

/** The row of a digest and its entries, as of one moment: of two statements, the second sees what came after the first. */
async function gatheredFor({ store, seal }: Needs, id: number) {
  const rows = await store.db
    .selectFrom('mail_digests')
    .leftJoin('mail_entries', 'digest_id', 'mail_digests.id')
    .selectAll('mail_digests')
    .select(['mail_entries.id as entry', 'added_at', 'sealed'])
    .where('mail_digests.id', '=', id)
    .where('gathered', '>', 0)
    .orderBy('mail_entries.id')
    .limit(mostEntries)
    .execute();
  const [row] = rows;
  if (row === undefined) return undefined;
  const entries = rows.flatMap(({ entry, added_at, sealed }) =>
    entry === null || added_at === null || sealed === null
      ? []
      : [{ id: entry, at: added_at, ...read(seal.open(sealed, about(id))) }],
  );
  const none = { id: 0, at: row.since };
  return { row, entries, first: entries[0] ?? none, last: entries.at(-1) ?? none };
}

/** What came meanwhile waits for the next one. */
const clear = (store: Store<MailTables>, { id, gathered, every }: Row, last: number, now: Date): Promise<void> =>
  store.write(async (tx) => {
    await tx.deleteFrom('mail_entries').where('digest_id', '=', id).where('id', '<=', last).execute();
    await tx
      .updateTable('mail_digests')
      .set((eb) => ({
        gathered: eb('gathered', '-', gathered),
        since: instant(now),
        due_at: instant(new Date(now.getTime() + every)),
      }))
      .where('id', '=', id)
      .execute();
  });

/** What was gathered, the oldest first, and how much more there was. */
function digestText(entries: readonly { at: string; text: string }[], gathered: number): string {
  const more = gathered - entries.length;
  return [
    ...entries.map(({ at, text }) => `${minuteOf(at)}\n${text}`),
    ...(more > 0 ? [`${entries.length > 0 ? 'And' : 'There were'} ${more} more.`] : []),
  ].join('\n\n');
}

/** `2026-11-20T12:00:00.000Z` as `2026-11-20 12:00 UTC` */
const minuteOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
