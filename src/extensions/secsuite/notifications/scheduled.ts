// Notifications that come every so often: what they say is put together when they are due, from what waits for them and what else
// there is to say.
import { day, hour } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Log } from '#store/engine.ts';
import type { Logs } from '../logs/logs.ts';
import type { Settings } from '../settings/types.ts';
import type { Notification, Period } from './notification.ts';
import type { Send, Telling } from './sending.ts';
import { type CenterSettings, id, settledOf } from './settings.ts';

/** What waits for it, the oldest first. */
interface Waiting {
  readonly messages: readonly string[];
}

/** What it says now; nothing, where there is nothing to say. */
export type Writer = (since: Date, waiting: readonly string[]) => Promise<Telling | undefined>;

export interface Scheduled {
  /** Says what one of them tells. Without a writer it is not sent. */
  writes(slug: string, writer: Writer): void;
  /** Adds a message to what waits for the next one. */
  queue(slug: string, message: string): Promise<void>;
  /** Sends those that are due. One at a time, among all processes: it is the work of a job that runs alone. */
  sendDue(): Promise<void>;
}

interface Needs {
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly send: Send;
  present(): readonly Notification[];
}

const spans: Readonly<Record<Period, number>> = { daily: day, weekly: 7 * day, monthly: 30 * day };
const triedAgainAfter = 6 * hour;

/** So many wait for one mail, so long each; what is more than that is left out, the oldest first. */
const [most, longest] = [100, 1_000];

export function createScheduled({ settings, clock, log, logs, send, present }: Needs): Scheduled {
  const writers = new Map<string, Writer>();
  const center = () => settings.of(id);
  /** Answers whether there was something to say, and it was said. */
  const sendOne = async ({ slug }: Notification, since: Date): Promise<boolean> => {
    const now = seconds(clock());
    const waiting = waitingFor(center(), slug);
    let telling: Telling | undefined;
    try {
      telling = await writers.get(slug)?.(since, waiting);
      if (telling !== undefined) await send(slug, telling);
    } catch (error) {
      log.error({ err: error, notification: slug }, 'A notification could not be sent. Retrying later.');
      await settings.keep(id, ({ resend_at }) => ({
        resend_at: { ...resend_at, [slug]: now + triedAgainAfter / 1_000 },
      }));
      return false;
    }
    await settings.keep(id, ({ last_sent, resend_at, data }) => ({
      last_sent: { ...last_sent, [slug]: now },
      resend_at: without(resend_at, slug),
      data: leftOf(data, slug, waiting.length),
    }));
    return telling !== undefined;
  };
  return {
    writes: (slug, writer) => void writers.set(slug, writer),
    async queue(slug, message) {
      await settings.keep(id, (before) => ({
        data: {
          ...before.data,
          [slug]: { messages: [...waitingFor(before, slug), message.slice(0, longest)].slice(-most) },
        },
      }));
    },
    async sendDue() {
      const sent: string[] = [];
      for (const one of present().filter(({ slug }) => writers.has(slug))) {
        const due = dueOf(one, center());
        const isDue = due !== undefined && clock().getTime() >= due.at;
        if (isDue && (await sendOne(one, due.since))) sent.push(one.slug);
      }
      if (sent.length > 0)
        logs.write({ module: 'notification_center', code: 'send_scheduled', type: 'debug', data: { sent } });
    },
  };
}

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

/** When it is due, and since when there is something to say. */
function dueOf(one: Notification, settings: CenterSettings): { at: number; since: Date } | undefined {
  const { notifications, default_recipients, last_sent, resend_at } = settings;
  const { schedule } = settledOf(one, notifications[one.slug], { ...default_recipients, email_list: [] });
  if (schedule === undefined) return undefined;
  const last = (last_sent[one.slug] ?? 0) * 1_000;
  const again = resend_at[one.slug];
  return { at: again === undefined ? last + spans[schedule as Period] : again * 1_000, since: new Date(last) };
}

const waitingFor = ({ data }: CenterSettings, slug: string): readonly string[] =>
  (data[slug] as Waiting | undefined)?.messages ?? [];

/** What came while it was sent waits for the next one. */
function leftOf(data: CenterSettings['data'], slug: string, sent: number): CenterSettings['data'] {
  const left = ((data[slug] as Waiting | undefined)?.messages ?? []).slice(sent);
  return left.length === 0 ? without(data, slug) : { ...data, [slug]: { messages: left } };
}

const without = <T>(map: Readonly<Record<string, T>>, slug: string): Record<string, T> =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== slug));
