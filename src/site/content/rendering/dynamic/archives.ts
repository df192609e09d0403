// The times in which posts were published: months as a rule, or years, or days.
import { type RawBuilder, sql } from 'kysely';
import { formatDate } from '#lib/format-date.ts';
import type { Reads } from '#store/handles.ts';
import type { ContentTables } from '../../tables.ts';
import { live } from '../live.ts';
import { type Attributes, choiceOf, classOf, isSet, textIn, worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';
import { siteNow } from './site-now.ts';

/** How much of `2026-11-20T12:00:00` tells it, and how people call it. */
const spans = {
  monthly: { length: 7, form: 'F Y', label: 'Month' },
  yearly: { length: 4, form: 'Y', label: 'Year' },
  daily: { length: 10, form: 'F j, Y', label: 'Day' },
} as const;

type Span = (typeof spans)[keyof typeof spans];

interface Entry {
  /** `2026-11`. */
  readonly time: string;
  readonly url: string;
  readonly said: string;
  readonly count: number | undefined;
}

const mostSpans = 500;

export function archives(needs: BlockNeeds) {
  const { db } = needs.store;
  const timesBy = gatheredBy(needs, (length) => timesOf(db, length, mostSpans));
  const countsBy = gatheredBy(needs, async (length) => countsOf(db, length, await timesBy(length)));
  return live<readonly Entry[]>({
    rests: ['posts', 'settings'],
    reads: ['type', 'showPostCounts'],
    async find({ attributes }) {
      const { length, form } = spanOf(attributes);
      const times = await timesBy(length);
      const [now, counts] = await Promise.all([
        siteNow(needs),
        isSet(attributes.showPostCounts) ? countsBy(length) : undefined,
      ]);
      return times.map((time) => {
        const wall = `${time}${'0001-01-01T00:00:00'.slice(length)}`;
        return {
          time,
          url: `${needs.url}/${time.replaceAll('-', '/')}/`,
          said: formatDate(form, { wall, utc: wall }, now),
          count: counts?.get(time),
        };
      });
    },
    write({ attributes, page }, entries) {
      if (entries.length === 0) return `<div${classOf('archives', attributes)}>No archives to show.</div>`;
      if (!isSet(attributes.displayAsDropdown))
        return `<ul${classOf('archives', attributes, 'wp-block-archives-list')}>${entries.map(item).join('')}</ul>`;
      const id = `wp-block-archives-${page.next('archives')}`;
      return `<div${classOf('archives', attributes, 'wp-block-archives-dropdown')}>${choice(needs.url, id, entries, attributes)}</div>`;
    },
  });
}

/** Once for each length, however many blocks of a text ask. */
function gatheredBy<V>({ store }: BlockNeeds, look: (length: number) => Promise<V>): (length: number) => Promise<V> {
  const load = store.gathered(async (lengths) => {
    const found = await Promise.all(lengths.map(async (length): Promise<[number, V]> => [length, await look(length)]));
    return new Map(found);
  });
  return async (length) => (await load([length])).get(length)!;
}

const spanOf = ({ type }: Attributes): Span => spans[choiceOf(type, ['monthly', 'yearly', 'daily'])];

const published = sql`posts.type = 'post' and posts.status = 'publish'`;

type Db = Reads<Pick<ContentTables, 'posts'>>;

/** The newest first. From one to the next by the index: there are far fewer than posts. */
export async function timesOf(db: Db, length: number, most: number): Promise<string[]> {
  const size = sql.lit(length);
  const newest = (before: RawBuilder<unknown>) =>
    sql<string | null>`(select max(posts.date) from posts where ${published}${before})`;
  const rows = await db
    .withRecursive('walked(date, nth)', (walk) =>
      walk.selectNoFrom([newest(sql``).as('date'), sql<number>`1`.as('nth')]).unionAll(
        walk
          .selectFrom('walked')
          .select([
            newest(sql` and posts.date < substr(walked.date, 1, ${size})`).as('date'),
            sql<number>`walked.nth + 1`.as('nth'),
          ])
          .where('walked.date', 'is not', null)
          .where('walked.nth', '<', most),
      ),
    )
    .selectFrom('walked')
    .select('date')
    .where('date', 'is not', null)
    .orderBy('nth')
    .execute();
  return rows.map(({ date }) => date!.slice(0, length));
}

/** From the oldest of them on, by the index alone. */
export async function countsOf(db: Db, length: number, times: readonly string[]): Promise<Map<string, number>> {
  const oldest = times.at(-1);
  if (oldest === undefined) return new Map();
  const time = sql<string>`substr(posts.date, 1, ${sql.lit(length)})`;
  const rows = await db
    .selectFrom('posts')
    .select([time.as('time'), (row) => row.fn.countAll<number>().as('count')])
    .where('type', '=', 'post')
    .where('status', '=', 'publish')
    .where('date', '>=', oldest)
    .groupBy(time)
    .execute();
  return new Map(rows.map(({ time: one, count }) => [one, Number(count)]));
}

const numberOf = ({ count }: Entry): string => (count === undefined ? '' : `&nbsp;(${count})`);

const item = (entry: Entry): string =>
  `\t<li><a href="${worded(entry.url)}">${worded(entry.said)}</a>${numberOf(entry)}</li>\n`;

/** Sent as a form: the site leads from the digits of a time to its page, and no script is needed. */
function choice(url: string, id: string, entries: readonly Entry[], attributes: Attributes): string {
  const hidden = isSet(attributes.showLabel, true) ? '' : ' screen-reader-text';
  const options = entries.map((entry) => {
    const digits = entry.time.replaceAll('-', '');
    return `<option value="${worded(digits)}">${worded(entry.said)}${numberOf(entry)}</option>`;
  });
  return [
    `<form action="${worded(url)}/" method="get">`,
    `<label class="wp-block-archives__label${hidden}" for="${id}">${worded(textIn(attributes.label) || 'Archives')}</label>`,
    `<select id="${id}" name="m"><option value="">Select ${spanOf(attributes).label}</option>`,
    ...options,
    '</select><button type="submit">Show</button></form>',
  ].join('');
}
