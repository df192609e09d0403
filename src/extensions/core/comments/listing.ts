// The arguments of the list of comments, and what they mean to the noun.

import { few, shorter, shortTerm, startOf } from '#kernel/bounds.ts';
import { offsetOf } from '#kernel/paging.ts';
import type { RecordOf } from '#kernel/resource.ts';
import { withoutUndefined } from '#lib/objects.ts';
import { readBound, type Zone } from '#lib/wall-time.ts';
import type { WantedComments } from '#site/content/comments/comment.ts';
import { listedStatuses, listedType } from '#site/content/comments/statuses.ts';
import type { Toolkit } from '#site/extension.ts';
import { unlessEmpty } from '#site/platform/listing.ts';
import type { Core } from '../core.ts';

const orders = ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'] as const;
const longestName = 100;

export function listArgs({ t, context, page, perPage }: Toolkit<Core>) {
  const ids = (description: string) => t.list(t.integer(), { default: [], description, check: few });
  const people = (description: string) => t.optional(t.list(t.integer(), { description, check: few }));
  const when = (description: string) => t.optional(t.string({ format: 'date-time', description }));
  const name = (usual: string, what: string, description: string) =>
    t.string({ default: usual, description, check: shorter(what, longestName) });
  return {
    context: context(),
    page: page(),
    per_page: perPage(),
    search: t.optional(t.string({ description: 'A part of what was said, or of who said it.', check: shortTerm })),
    after: when('Only what was said after this.'),
    author: people('Only what these said.'),
    author_exclude: people('Not what these said.'),
    author_email: t.publishedAs(
      t.string({ default: null, format: 'email', description: 'Only what somebody with this address said.' }),
      t.optional(t.string({ format: 'email' })),
    ),
    before: when('Only what was said before this.'),
    exclude: ids('Comments to leave out.'),
    include: ids('Only these comments.'),
    offset: t.optional(t.integer({ description: 'How many to leave out at the beginning.' })),
    order: t.choice(['asc', 'desc'], { default: 'desc' }),
    orderby: t.choice(orders, { default: 'date_gmt' }),
    parent: ids('Only what answers these.'),
    parent_exclude: ids('Not what answers these.'),
    post: ids('Only what is about these.'),
    status: name('approve', 'status', 'approve, hold, spam, trash, or all that is shown or may be.'),
    type: name('comment', 'type', 'Only comments of this type; `all` for every type.'),
    password: t.optional(t.string({ description: 'The password of the one record they are about.' })),
  };
}

type Args = RecordOf<ReturnType<typeof listArgs>>;

export function wantedOf(args: Args, zone: Zone): WantedComments {
  const moment = (text: string | undefined) => (text === undefined ? undefined : readBound(zone, text).utc);
  return withoutUndefined({
    limit: args.per_page,
    offset: args.offset === undefined ? offsetOf(args) : startOf(args.offset),
    order: args.order,
    orderBy: args.orderby,
    statuses: listedStatuses(args.status),
    type: listedType(args.type),
    search: args.search,
    after: moment(args.after),
    before: moment(args.before),
    authors: unlessEmpty(args.author),
    notAuthors: unlessEmpty(args.author_exclude),
    email: args.author_email,
    include: unlessEmpty(args.include),
    exclude: unlessEmpty(args.exclude),
    parents: unlessEmpty(args.parent),
    notParents: unlessEmpty(args.parent_exclude),
    posts: unlessEmpty(args.post),
  });
}

/** The page that a list cut out by an offset counts as. */
export const pageOf = ({ offset, per_page }: Args): { page?: number } =>
  offset === undefined ? {} : { page: Math.ceil(startOf(offset) / per_page) + 1 };
