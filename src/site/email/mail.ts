// Messages to people: put into the queue at once, carried to a mail server or into a folder a moment later.
import { randomBytes } from 'node:crypto';
import { day, hour, minute } from '#lib/spans.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import { Hopeless, type Queue } from '../jobs/job.ts';
import { hasten, type Jobs } from '../jobs/jobs.ts';
import type { JobTables } from '../jobs/tables.ts';
import type { Clock } from '../platform/clock.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import type { Seal } from '../platform/seal.ts';
import { blockedCode, type Carrier, createDelivery, type Deliver, mailLane } from './delivering.ts';
import { createDigests, type Entry, type Sift } from './digests.ts';
import { letterId, mailHost, oneAddress } from './letter.ts';
import type { MailTables } from './tables.ts';

/** The kind of the jobs that send one message each. */
const kindOfLetters = 'mail.deliver';

/**
 * What a row of a site that is not opened is: a message that leaves as soon as the site serves, or a digest that does so when it is
 * due, within the hours after.
 */
export function waitingAs(table: string, row: Readonly<Record<string, unknown>>): 'message' | 'digest' | undefined {
  if (table === 'mail_digests') return Number(row.gathered) > 0 ? 'digest' : undefined;
  const isLetter = table === 'jobs' && row.kind === kindOfLetters;
  return isLetter && (row.status === 'queued' || row.status === 'running') ? 'message' : undefined;
}

export interface Message {
  /** Empty for somebody without an address: then nothing is sent. */
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /**
   * They asked for it themselves and wait for it, and whoever sends it bounds how often: it is sent however much the address was
   * sent in this hour.
   */
  readonly awaited?: true;
  /** Whom it comes from, where that is not as usual. */
  readonly from?: string;
  /** What it is about, for whoever wants to know what could not be delivered. */
  readonly about?: string;
}

export interface Mail {
  /** Durable once this resolves; it leaves a moment later. What is too much for one mailbox in an hour is gathered instead. */
  send(message: Message): Promise<void>;
  /** Adds to the next digest of that name to that address, which is sent `every` so often unless it is empty. */
  gather(entry: Entry): Promise<void>;
  /** When the digest of this name is sent, what is no longer so is left out. */
  sift(digest: string, sift: Sift): void;
  /** Told of each letter that is about something and was given up. Returns how to hear no more. */
  onLost(listener: Lost): () => void;
  /** Lets go of the mail server. */
  close(): void;
}

/** The error names nobody. What it throws is nobody's concern. */
type Lost = (about: string, error: unknown) => void | Promise<void>;

interface Titled {
  readonly title: string;
}

interface MailOptions {
  readonly store: Store<MailTables & JobTables>;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, 'kind' | 'schedule'>;
  readonly seal: Seal;
  readonly log: Log;
  readonly rateLimits: Pick<RateLimits, 'take'>;
  readonly carrier: Carrier;
  /** The address that messages come from; no-reply at the host of the site, without it. */
  readonly from?: string | undefined;
  /** The public base address of the site. */
  readonly url: string;
  /** What the site is called now. */
  about(): Titled | Promise<Titled>;
}

/** A letter as it waits in the queue. */
interface Waiting extends Omit<Message, 'awaited'> {
  readonly id: string;
  readonly date: string;
}

/** With the pauses between them, which double from a minute to an hour, a little more than a day. */
const attempts = 30;
const pause = (attempt: number): number => Math.min(minute * 2 ** (attempt - 1), hour);
const longestText = 100_000;

/** To one email address, so that the site cannot flood a mailbox. */
const mostInAnHour = 60;

export function createMail(options: MailOptions): Mail {
  const { store, clock, jobs, seal, log, carrier, about, rateLimits } = options;
  const host = mailHost(options.url);
  const deliver = followed(createDelivery(carrier, log, clock), options);
  const listeners = new Set<Lost>();
  const queue = deliveries(options, deliver, async (about, error) => {
    for (const listener of listeners) await Promise.try(listener, about, error).catch(() => {});
  });
  const letterOf = (message: Omit<Message, 'awaited'>, date: Date, rest: string) =>
    letter({ ...message, date: date.toISOString(), id: letterId(date, rest, host) }, options);
  const digests = createDigests({ store, clock, jobs, seal, deliver, letterOf });
  const naming = namer();
  jobs.schedule({ name: 'mail.digests', every: minute, add: digests.queueDue });
  scheduleTidying(options, digests);
  return {
    async send({ to, subject, text, awaited, from, about: matter }) {
      if (to === '') return;
      const message = {
        to: oneAddress(to),
        subject,
        text: text.slice(0, longestText),
        ...(from !== undefined && { from: oneAddress(from) }),
        ...(matter !== undefined && { about: matter }),
      };
      const date = clock();
      const id = letterId(date, naming(), host);
      const { title } = await about();
      await store.write(async (tx, during) => {
        if (awaited || (await rateLimits.take(`mail ${to.toLowerCase()}`, mostInAnHour, hour)))
          return void (await queue.addIn(tx, during, { ...message, id, date: date.toISOString() }));
        await digests.addIn(tx, surplus(message, title));
      });
    },
    async gather(entry) {
      if (entry.to === '') return;
      oneAddress(entry.to);
      await store.write((tx) => digests.addIn(tx, entry));
    },
    sift: digests.sift,
    onLost(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => carrier.close(),
  };
}

/** Once a letter left, those follow that waited because none could: looked for once in a minute. */
function followed(deliver: Deliver, { store, clock }: MailOptions): Deliver {
  let last = Number.NEGATIVE_INFINITY;
  const codes = [blockedCode, 'out_of_space'];
  return async (letter, signal) => {
    await deliver(letter, signal);
    const now = clock();
    if (now.getTime() - last < minute) return;
    last = now.getTime();
    const madeAfter = new Date(last - day);
    await hasten(store, { kind: kindOfLetters, codes, now, madeAfter }).catch(() => {}); // they leave in their time
  };
}

function deliveries({ jobs, ...options }: MailOptions, deliver: Deliver, lost: Lost): Queue<Waiting> {
  return jobs.kind<Waiting>({
    name: kindOfLetters,
    about: 'Sends an email',
    attempts,
    pause,
    lane: mailLane,
    confidential: true,
    // At a shell without the variables of the site, letters would go into a folder that nobody looks at.
    serving: true,
    run: async (waiting, { signal, attempt }) => {
      try {
        await deliver(await letter(waiting, options), signal);
      } catch (error) {
        const isLost = error instanceof Hopeless || attempt >= attempts;
        if (isLost && waiting.about !== undefined) await lost(waiting.about, error);
        throw error;
      }
    },
  });
}

async function letter(waiting: Waiting, { url, from, about }: Pick<MailOptions, 'url' | 'from' | 'about'>) {
  const { to, subject, text, id, date } = waiting;
  const { title } = await about();
  const address = waiting.from ?? from ?? `no-reply@${mailHost(url)}`;
  return { from: { name: title, address }, to, subject, text, id, date: new Date(date) };
}

/** More than a mailbox is sent one by one in an hour. */
const surplus = ({ to, subject, text }: Message, title: string): Entry => ({
  to,
  digest: 'surplus',
  subject: `[${title}] Further messages`,
  text: `${subject}\n\n${text}`,
  every: hour,
});

/** In the order of sending where the clock stands still; unique among processes by chance. */
function namer(): () => string {
  let sent = 0;
  return () => {
    sent += 1;
    return `${String(sent).padStart(6, '0')}-${randomBytes(6).toString('hex')}`;
  };
}

function scheduleTidying(
  { jobs, store, clock, carrier }: MailOptions,
  digests: ReturnType<typeof createDigests>,
): void {
  const queue = jobs.kind<null>({
    name: 'mail.tidy',
    about: 'Deletes old emails from the mail folder',
    run: async () => {
      const now = clock();
      await store.write((tx) => digests.forgetIn(tx, now));
      return { removed: await carrier.tidy(now) };
    },
  });
  jobs.schedule({ name: 'mail.tidy', every: 6 * hour, add: () => queue.add(null, { key: 'all' }) });
}
