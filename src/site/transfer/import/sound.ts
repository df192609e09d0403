// A record of another site as it is kept here: what cannot be is made right where that is plain, and refused where it is not.
import type { Problem } from '#kernel/problem.ts';
import { withoutSteering } from '#lib/printable.ts';
import { type Moment, readMoment } from '#lib/wall-time.ts';
import { instant } from '#store/columns.ts';
import { contentErrors } from '../../content/errors.ts';
import type { TextFilter } from '../../content/filter/filter.ts';
import type { MetaKeys, MetaValues } from '../../content/meta.ts';
import type { New } from '../../content/posts/add.ts';
import { dated, type Now } from '../../content/posts/dates.ts';
import { refuseTooLarge } from '../../content/posts/faults.ts';
import { statusOf, writable } from '../../content/statuses.ts';
import { isMark } from '../../content/test-data-mark.ts';
import type { ContentType } from '../../content/types.ts';
import type { TheirMeta, TheirRecord } from './theirs.ts';

/** What this site says of it. */
export interface Here {
  readonly type: ContentType;
  readonly author: number;
  readonly parent: number;
  readonly picture: number;
  readonly now: Now;
  readonly at: Date;
  /** Where texts are filtered. */
  readonly filter: TextFilter | undefined;
}

/** The row but for its slug and number. */
export type Sound = Omit<New, 'id'>;

export function soundOf(theirs: TheirRecord, here: Here): Sound {
  const { type, author, parent, picture, now } = here;
  const texts = textsOf(theirs, here);
  const when = datesOf(theirs, statusFor(theirs, type), now);
  const password = clean(theirs.password).slice(0, 255);
  return {
    type: type.name,
    author,
    parent,
    menu_order: orderOf(theirs.menu_order),
    slug: '',
    ...when,
    ...changedAt(theirs, when, now),
    password,
    comment_status: openOr(theirs.comment_status),
    ping_status: openOr(theirs.ping_status),
    template: templateOf(theirs.template),
    format: type.supports.includes('post-formats') ? formatOf(theirs.format) : '',
    // What is shown first of all is for everybody.
    sticky: theirs.sticky && type.name === 'post' && password === '' ? 1 : 0,
    featured_media: picture,
    mime_type: '',
    guid: guidOf(theirs.guid),
    version: 1,
    status_before: null,
    ...texts,
    ...(when.status === 'trash' && trashed(theirs, here.at)),
  };
}

/** As every text is kept. */
export function titleOf({ title }: TheirRecord, filter: TextFilter | undefined): string {
  const text = clean(title);
  return (filter === undefined ? text : filter(text, 'title')).trim();
}

function textsOf(theirs: TheirRecord, { filter }: Here): Pick<Sound, 'title' | 'content' | 'excerpt'> {
  const kept = (name: 'content' | 'excerpt'): string =>
    filter === undefined ? clean(theirs[name]) : filter(clean(theirs[name]), name);
  const { title, content, excerpt } = theirs;
  refuseTooLarge({ title, content, excerpt });
  const texts = { title: titleOf(theirs, filter), content: kept('content'), excerpt: kept('excerpt') };
  refuseTooLarge(texts);
  return texts;
}

/** Signs that no store takes. */
export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const files = ['inherit', 'private', 'trash'];

function statusFor({ status }: TheirRecord, { name }: ContentType): string {
  if (name === 'attachment') return files.includes(status) ? status : 'inherit';
  return status === 'trash' || (writable as readonly string[]).includes(status) ? status : 'draft';
}

/** A time as it stands, if there is such a one. */
export const written = (text: string): string | undefined =>
  readMoment({ timezone: '', offset: 0 }, text.trim(), 'utc')?.utc;

/** Times as both clocks of the other site showed them; what one of them does not say, the clock of this site does. */
function datesOf(theirs: TheirRecord, status: string, now: Now): Pick<Sound, 'status' | 'date' | 'date_gmt'> {
  const [wall, utc] = [written(theirs.date), written(theirs.date_gmt)];
  if (utc === undefined && isFloating(status, theirs)) return { status, date: wall ?? now.wall, date_gmt: null };
  const moment = momentOf(wall, utc, now);
  if (moment === undefined) throw noDate();
  return dated(status, moment, now);
}

/** What was put into the trash while it floated floats on in there. */
const isFloating = (status: string, { status_before }: TheirRecord): boolean =>
  statusOf(status)?.floating === true ||
  (status === 'trash' && (status_before === '' || statusOf(status_before)?.floating === true));

export function momentOf(wall: string | undefined, utc: string | undefined, { zone }: Now): Moment | undefined {
  if (wall !== undefined && utc !== undefined) return { wall, utc };
  if (wall !== undefined) return readMoment(zone, wall, 'wall');
  return utc === undefined ? undefined : readMoment(zone, utc, 'utc');
}

export const noDate = (): Problem => contentErrors.invalidDate().saying('It has no valid date.');

/** Where nobody says, the last change was its date. */
function changedAt(
  theirs: TheirRecord,
  { date, date_gmt }: Pick<Sound, 'date' | 'date_gmt'>,
  now: Now,
): Pick<Sound, 'modified' | 'modified_gmt'> {
  const moment = momentOf(written(theirs.modified), written(theirs.modified_gmt), now);
  if (moment !== undefined) return { modified: moment.wall, modified_gmt: moment.utc };
  return { modified: date, modified_gmt: date_gmt ?? readMoment(now.zone, date, 'wall')?.utc ?? now.utc };
}

/** How it lies in the trash. */
function trashed({ status_before, slug_before, slug }: TheirRecord, at: Date) {
  const before = (writable as readonly string[]).includes(status_before) ? status_before : 'draft';
  return {
    status_before: before,
    slug_before: clean(slug_before || slug.replace(/__trashed(?:-\d+)?$/, '')).slice(0, 200),
    trashed_at: instant(at),
  };
}

/** The site has none of its own, so that only a name can be kept: those of this family are files. */
const templateOf = (template: string): string =>
  template.length <= 200 && /^[\w-]+(?:[./][\w-]+)*$/.test(template) ? template : '';

const formats = new Set(['aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio']);
const formatOf = (format: string): string => (formats.has(format) ? format : '');
const openOr = (status: string): string => (status === 'open' ? 'open' : 'closed');

const orderOf = (order: number): number => (Number.isSafeInteger(order) && Math.abs(order) <= 2 ** 31 - 1 ? order : 0);

/** Longer ones are nobody's name. */
const longestGuid = 2_000;

export function guidOf(guid: string): string {
  const text = withoutSteering(guid).trim();
  return text.length > longestGuid || /[<>"\s]/.test(text) ? '' : text;
}

/** Long keys and very many of them are nobody's. */
const most = { key: 255, keys: 1_000 };

export interface SoundMeta {
  readonly meta: MetaValues;
  /** Why some were refused. */
  readonly faults: readonly unknown[];
}

/** What is registered as it must be; all else as it stands, several under one key as a list. */
export function metaOf(all: readonly TheirMeta[], type: string, keys: MetaKeys, filter?: TextFilter): SoundMeta {
  if (all.length === 0) return { meta: {}, faults: [] };
  const byKey = Map.groupBy(all.slice(0, most.keys), ({ key }) => clean(key));
  const registered = new Set(keys.of(type).map(({ key }) => key));
  const meta: Record<string, unknown> = {};
  const faults: unknown[] = [];
  for (const [key, some] of byKey) {
    const values = some.map(({ value }) => clean(value));
    if (key === '' || key.length > most.key || isMark(key)) continue;
    if (!registered.has(key)) {
      meta[key] = values.length === 1 ? values[0] : values;
      continue;
    }
    try {
      Object.assign(meta, keys.settled(type, { [key]: values.at(-1) }, filter));
    } catch (error) {
      faults.push(error);
    }
  }
  return { meta, faults };
}
