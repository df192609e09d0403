// What is written down when something happens: who may say so says it as an `Event`, and it is kept as an `Entry`.
import { printable } from '#lib/printable.ts';
import type { Instant, JsonText } from '#store/columns.ts';

/** What an entry is worth, by what it is called on the wire; the heaviest first. The last three are of one long operation. */
export const types = [
  'critical-issue',
  'action',
  'fatal',
  'error',
  'warning',
  'notice',
  'debug',
  'process-start',
  'process-update',
  'process-stop',
] as const;
export type LogType = (typeof types)[number];

export interface Event {
  readonly module: string;
  /** `invalid-login`, or with what it is about: `invalid-login::user-3`. */
  readonly code: string;
  readonly type: LogType;
  readonly data?: unknown;
  /** The entry that began the operation it belongs to. */
  readonly parent?: number;
  /** Now, without it. */
  readonly at?: Date;
}

/** The request under way, if one is. */
export interface Asking {
  /** Whole, or below the address of the site. */
  readonly url: string;
  readonly address: string;
  /** 0 is nobody. */
  readonly user: number;
  /** In milliseconds since 1970, or so. */
  readonly startedAt: Date | number;
}

/** Where an entry comes from that no request made. */
export const backgrounds = ['wp-cli', 'wp-cron', 'unknown'] as const;
export type Background = (typeof backgrounds)[number];

/** As it is kept; its number comes with being kept. */
export interface NewEntry {
  readonly parent_id: number;
  readonly module: string;
  readonly code: string;
  readonly type: LogType;
  readonly data: JsonText;
  readonly created_at: Instant;
  readonly started_at: Instant;
  readonly memory_current: number;
  readonly memory_peak: number;
  readonly url: string;
  readonly site: number;
  readonly user_id: number;
  readonly remote_ip: string;
}

export interface Entry extends NewEntry {
  readonly id: number;
}

/** To the second, as entries are shown: so what is shown, sorted and filtered by is the same. */
export const toTheSecond = (at: Date | number): Instant => `${new Date(at).toISOString().slice(0, 19)}.000Z`;

/** Signs that nobody sees are shown, and what is too long ends in dots. */
export function cut(text: string, longest: number): string {
  const signs = [...printable(text.slice(0, 2 * longest + 1))];
  return signs.length <= longest ? signs.join('') : `${signs.slice(0, longest - 3).join('')}...`;
}

const separator = '::';

/** The part of a code that says what happened, and not to whom. */
export const headOf = (code: string): string => code.split(separator, 1)[0]!;

export const partsOf = (code: string): { code: string; data: string[] } => {
  const head = headOf(code);
  return { code: head, data: head === code ? [] : code.slice(head.length + separator.length).split(',') };
};
