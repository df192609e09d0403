// When a record was published, or will be; and what that makes of its status.
import { type Moment, readMoment, type Zone } from '#lib/wall-time.ts';
import { contentErrors } from '../errors.ts';
import { statusOf } from '../statuses.ts';
import type { Post, PostInput } from './post.ts';

type Dated = Pick<Post, 'status' | 'date' | 'date_gmt'>;

/** What floats is shown with the time of its last change. */
type Shown = Pick<Post, 'date' | 'date_gmt'> & Partial<Pick<Post, 'modified_gmt'>>;

export interface Now extends Moment {
  readonly zone: Zone;
}

/**
 * Nothing when nothing new is said: clients send back the date that they were shown, and a draft would stop to float. Null says
 * that there shall be none.
 */
export function saidDate({ date, date_gmt }: PostInput, zone: Zone, shown?: Shown): Moment | null | undefined {
  const text = date === undefined ? date_gmt : date;
  if (text === undefined || text === null) return text;
  const shownGmt = shown?.date_gmt ?? shown?.modified_gmt;
  if (text === (date === undefined ? shownGmt : shown?.date)) return undefined;
  const moment = readMoment(zone, text, date === undefined ? 'utc' : 'wall');
  if (moment === undefined) throw contentErrors.invalidDate();
  return moment.utc === shownGmt ? undefined : moment;
}

/** The status that is wanted, and its date: the one said, the one it has, that of the last change, or now. */
export function dated(wanted: string, said: Moment | null | undefined, now: Now, before?: Dated): Dated {
  const date = dateFor(wanted, said, now, before);
  return { status: inTime(wanted, date.date_gmt, now), ...date };
}

function dateFor(wanted: string, said: Moment | null | undefined, now: Now, before?: Dated): Omit<Dated, 'status'> {
  if (said) return { date: said.wall, date_gmt: said.utc };
  const stays = said === undefined && (before?.date_gmt || wanted === 'trash');
  if (before !== undefined && stays) return { date: before.date, date_gmt: before.date_gmt };
  return { date: now.wall, date_gmt: statusOf(wanted)?.floating ? null : now.utc };
}

/** Published means at its time. */
function inTime(wanted: string, date_gmt: string | null, { utc }: Now): string {
  if (wanted !== 'publish' && wanted !== 'future') return wanted;
  return date_gmt !== null && date_gmt > utc ? 'future' : 'publish';
}
