// Who may do what with a record: asked of its type's capabilities, its author and its status.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isNobody, nobody } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import type { HiddenParents, Post } from './posts/post.ts';
import { statuses, statusOf } from './statuses.ts';
import type { ContentType, Kinds } from './types.ts';

type Subject = Pick<Post, 'type' | 'status' | 'author' | 'parent' | 'status_before'>;

/** What a record that goes with another is asked for: the other one. Nothing when there is none. */
type ParentOf = (parent: number) => Promise<Subject | undefined>;

export interface ContentRights {
  mayCreate(asker: Asker, type: ContentType): boolean;
  mayEdit(asker: Asker, post: Subject): boolean;
  mayDelete(asker: Asker, post: Subject): boolean;
  /** A record that goes with another is read as that one is; by whose it is, in any case. */
  mayRead(asker: Asker, post: Subject): boolean | Promise<boolean>;
  mayPublish(asker: Asker, type: ContentType): boolean;
  mayEditOthers(asker: Asker, type: ContentType): boolean;
}

const published = new Set(['publish', 'future']);

const isOwn = (asker: Asker, { author }: Subject): boolean => asker.id !== 0 && asker.id === author;

function may(deed: 'edit' | 'delete', asker: Asker, post: Subject, kinds: Kinds): boolean {
  const capabilities = kinds.type(post.type)?.capabilities;
  if (capabilities === undefined) return false;
  const status = post.status === 'trash' ? (post.status_before ?? 'draft') : post.status;
  const isOwned = isOwn(asker, post);
  if (!asker.can(isOwned ? capabilities[deed] : capabilities[`${deed}_others`])) return false;
  if (published.has(status)) return asker.can(capabilities[`${deed}_published`]);
  return status !== 'private' || isOwned || asker.can(capabilities[`${deed}_private`]);
}

export function createContentRights(kinds: Kinds, parentOf: ParentOf): ContentRights {
  const mayEdit = (asker: Asker, post: Subject): boolean => may('edit', asker, post, kinds);

  const mayRead = (asker: Asker, post: Subject): boolean | Promise<boolean> => {
    const type = kinds.type(post.type);
    if (type === undefined) return false;
    if (type.guarded && !asker.can(type.capabilities.edit)) return false;
    if (post.status === 'inherit') return isOwn(asker, post) || readAs(asker, post);
    const status = statusOf(post.status);
    if (status?.public || isOwn(asker, post)) return true;
    return status?.private ? asker.can(type.capabilities.read_private) : mayEdit(asker, post);
  };

  const readAs = async (asker: Asker, { parent }: Subject): Promise<boolean> => {
    const other = parent === 0 ? undefined : await parentOf(parent);
    return other === undefined || mayRead(asker, other);
  };

  return {
    mayCreate: (asker, { capabilities }) => asker.can(capabilities.create),
    mayEdit,
    mayDelete: (asker, post) => may('delete', asker, post, kinds),
    mayRead,
    mayPublish: (asker, { capabilities }) => asker.can(capabilities.publish),
    mayEditOthers: (asker, { capabilities }) => asker.can(capabilities.edit_others),
  };
}

// Which records a caller does not see, asked of the rows in the store: lists count only what their caller may read.

/** A subquery: the ids of records. */
type RecordIds = RawBuilder<number>;

export interface Unseen {
  /** Records that the caller may not read, except attachments: each of those is read as the record it belongs to. */
  parents(asker: Asker): HiddenParents;
  /** Records whose comments the caller may not read. */
  discussions(asker: Asker): RecordIds;
  /** Whether the caller may read every record of this type and status. */
  isReadable(asker: Asker, type: ContentType, status: string): boolean;
  /** Whether the caller may edit the record in `table`. */
  isEditable(asker: Asker, table: string): RawBuilder<SqlBool>;
}

type Rights = Pick<ContentRights, 'mayRead' | 'mayEdit'>;

const otherAuthor = -1;
const exceptTrash = statuses.map(({ name }) => name).filter((name) => name !== 'trash');

/** Names of types and statuses stand in the statement itself: to send dozens of values takes SQLite as long as the statement. */
const namesOf = (names: readonly string[]): RawBuilder<string> => sql.join(names.map((name) => sql.lit(name)));

/** The rules as conditions on rows. */
function createRowRules(types: Kinds['types'], rights: Rights) {
  /** Which of these statuses let the caller do it to a record of this type and author; `inherit` is judged by its parent. */
  const allowing = (deed: keyof Rights, asker: Asker, author: number, { name: type }: ContentType) => ({
    statuses: exceptTrash.filter((status) => {
      if (status === 'inherit' && deed === 'mayRead') return false;
      return rights[deed](asker, { type, status, author, parent: 0, status_before: null }) === true;
    }),
    // A record in the trash is judged by its status before.
    before: exceptTrash.filter(
      (before) => rights[deed](asker, { type, status: 'trash', author, parent: 0, status_before: before }) === true,
    ),
  });

  const kindsWhere = (deed: keyof Rights, asker: Asker, author: number, table: string): RawBuilder<SqlBool> => {
    const column = (name: string) => sql.ref(`${table}.${name}`);
    const [type, status, before] = ['type', 'status', 'status_before'].map(column);
    const alike = Map.groupBy(types, (one) => JSON.stringify(allowing(deed, asker, author, one)));
    return anyOf(
      [...alike.values()].flatMap((some) => {
        const may = allowing(deed, asker, author, some[0]!);
        const states = [
          ...(may.statuses.length > 0 ? [sql<SqlBool>`${status} in (${namesOf(may.statuses)})`] : []),
          ...(may.before.length > 0
            ? [sql<SqlBool>`(${status} = 'trash' and coalesce(${before}, 'draft') in (${namesOf(may.before)}))`]
            : []),
        ];
        if (states.length === 0) return [];
        return [sql<SqlBool>`(${type} in (${namesOf(some.map(({ name }) => name))}) and ${anyOf(states)})`];
      }),
    );
  };

  const allowed = (deed: keyof Rights, asker: Asker, table: string): RawBuilder<SqlBool> => {
    const others = kindsWhere(deed, asker, otherAuthor, table);
    if (isNobody(asker)) return others;
    const own = kindsWhere(deed, asker, asker.id, table);
    return sql<SqlBool>`(${others} or (${sql.ref(`${table}.author`)} = ${asker.id} and ${own}))`;
  };

  return { allowing, allowed };
}

export function createUnseen({ types }: Pick<Kinds, 'types'>, rights: Rights): Unseen {
  const { allowing, allowed } = createRowRules(types, rights);

  const isReadable: Unseen['isReadable'] = (asker, type, status) => {
    const readable = allowing('mayRead', asker, otherAuthor, type);
    return status === 'trash' ? readable.before.length === exceptTrash.length : readable.statuses.includes(status);
  };

  /** Types of which the caller sees not even what is published. */
  const guarded = (asker: Asker): readonly string[] =>
    types.filter((type) => !isReadable(asker, type, 'publish')).map(({ name }) => name);

  /** Of `held`. Each attachment is judged by the record it belongs to. */
  const isRead = (asker: Asker): RawBuilder<SqlBool> =>
    sql<SqlBool>`(held.status = 'inherit' or ${allowed('mayRead', asker, 'held')})`;

  const without = (asker: Asker, seen: RawBuilder<SqlBool>): RecordIds => {
    const closed = guarded(asker);
    const marked = sql<number>`select held.id from posts as held where ${isMarked('held')} and not ${seen}`;
    if (closed.length === 0) return marked;
    return sql<number>`${marked} union all select held.id from posts as held where held.type in (${namesOf(closed)}) and not ${seen}`;
  };

  const records = (asker: Asker): RecordIds => without(asker, isRead(asker));

  const hiddenFrom = (asker: Asker): HiddenParents => {
    const closed = guarded(asker);
    const isClosed = closed.length === 0 ? sql`` : sql` or held.type in (${namesOf(closed)})`;
    const isHidden = sql<SqlBool>`(${isMarked('held')}${isClosed}) and not ${isRead(asker)}`;
    return {
      author: asker.id,
      ids: records(asker),
      isParent: sql<SqlBool>`exists (select 1 from posts as held where held.id = posts.parent and ${isHidden})`,
    };
  };
  const hiddenFromVisitors = hiddenFrom(nobody);

  return {
    parents: (asker) => (isNobody(asker) ? hiddenFromVisitors : hiddenFrom(asker)),
    discussions(asker) {
      const [readable, editable] = [allowed('mayRead', asker, 'held'), allowed('mayEdit', asker, 'held')];
      const hosts = without(asker, sql<SqlBool>`(${editable} or (held.password = '' and ${readable}))`);
      const isOther = sql<SqlBool>`not (${allowed('mayEdit', asker, 'file')} or (file.author = ${asker.id} and file.author <> 0))`;
      return sql<number>`${hosts} union all select file.id from posts as file
        where file.parent in (${records(asker)}) and file.status = 'inherit' and ${isOther}`;
    },
    isReadable,
    isEditable: (asker, table) => allowed('mayEdit', asker, table),
  };
}

/** Word for word the condition of the index `posts_marked`: only records of it can be hidden from anybody. */
const isMarked = (table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${table}.status`)} not in ('publish', 'inherit') or ${sql.ref(`${table}.password`)} <> '')`;

const anyOf = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
