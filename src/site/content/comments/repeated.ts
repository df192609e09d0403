// What somebody says twice, or too quickly.
import { sql } from 'kysely';
import { second } from '#lib/spans.ts';
import { utcTime } from '#lib/wall-time.ts';
import type { CommentsTable, Writing } from '../tables.ts';
import { duplicate, flood } from './faults.ts';
import { allStatuses } from './statuses.ts';

type Said = Pick<
  CommentsTable,
  'post_id' | 'parent' | 'user_id' | 'author_name' | 'email_key' | 'author_ip' | 'content'
>;

export async function refuseSame(tx: Writing, row: Said): Promise<void> {
  const same = await tx
    .selectFrom('comments')
    .select('id')
    .where('post_id', '=', row.post_id)
    // The index of answers would be asked for all that answer nothing.
    .where(sql`+parent`, '=', row.parent)
    .where('content', '=', row.content)
    .where('status', '<>', 'trash')
    .where((it) =>
      it.or([
        ...(row.user_id > 0 ? [it('user_id', '=', row.user_id)] : []),
        ...(row.author_name === '' ? [] : [it('author_name', '=', row.author_name)]),
        ...(row.email_key === '' ? [] : [it('email_key', '=', row.email_key)]),
        it.and([it('author_name', '=', ''), it('email_key', '=', ''), it('author_ip', '=', row.author_ip)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  if (same !== undefined) throw duplicate();
}

const pause = 15 * second;

/** What is dated later than now was dated by those who look after comments, and holds nobody up. */
export async function refuseFlood(tx: Writing, row: Said, now: Date): Promise<void> {
  const lately = tx
    .selectFrom('comments')
    .select('id')
    .where('date_gmt', '>', utcTime(new Date(now.getTime() - pause)))
    .where('date_gmt', '<=', utcTime(now))
    .limit(1);
  const asked = [
    // Many people with an account may share one address: a school, an office.
    ...(row.user_id === 0 ? [lately.where('author_ip', '=', row.author_ip)] : []),
    ...(row.email_key === '' ? [] : [lately.where('email_key', '=', row.email_key)]),
    ...(row.user_id === 0 ? [] : [lately.where('user_id', '=', row.user_id).where('status', 'in', allStatuses)]),
  ];
  for (const question of asked) if ((await question.executeTakeFirst()) !== undefined) throw flood();
}
