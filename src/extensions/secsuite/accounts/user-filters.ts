// What filters of users by security facts have in common.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { t } from '#kernel/schema.ts';
import type { UserAsker } from '#site/identity/users/additions.ts';
import { instant } from '#store/columns.ts';
import type { Manage } from '../groups/manage.ts';

/** Such filters are for managers. From others, they filter nothing. */
export const isManaging = ({ user }: UserAsker, { manage }: { readonly manage: Pick<Manage, 'isManager'> }): boolean =>
  user !== undefined && manage.isManager(user);

const moment = () => t.optional(t.string({ format: 'date-time' }));

/** A span of time. */
export const spanSchema = () => t.object({ after: moment(), before: moment() });

export interface Span {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** Whether a moment is within the span. Nothing never is. */
export function isWithin(at: RawBuilder<unknown>, { after, before }: Span): RawBuilder<SqlBool> {
  const since = after === undefined ? sql`` : sql` and ${at} > ${instant(new Date(after))}`;
  const until = before === undefined ? sql`` : sql` and ${at} < ${instant(new Date(before))}`;
  return sql<SqlBool>`(${at} is not null${since}${until})`;
}
