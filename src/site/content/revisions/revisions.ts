// The history of records: what they were after each change, and what somebody is writing and has not saved.
import { momentAt, type Zone } from '#lib/wall-time.ts';
import type { Store } from '#store/store.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import { userLock } from '../../identity/users/guards.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import { contentErrors } from '../errors.ts';
import type { TextFilter } from '../filter/filter.ts';
import { type MetaKeys, type MetaValues, metaOf } from '../meta.ts';
import { refuseTooLarge } from '../posts/faults.ts';
import type { RevisionHooks } from '../posts/hooks.ts';
import type { Post, PostInput } from '../posts/post.ts';
import { findPost, postLock } from '../posts/rows.ts';
import type { ContentTables, RevisionsTable, Writing } from '../tables.ts';
import { historiesOf, listRevisions } from './list.ts';
import { asSeen, columns, findRevision, type Revision, type Revisions } from './revision.ts';

interface RevisionsNeeds {
  readonly store: Store<ContentTables & TotalsTables & IdentityTables>;
  readonly metaKeys: MetaKeys;
  readonly clock: Clock;
  /** As it is now: ask each time. */
  zone(): Zone | Promise<Zone>;
  /** What somebody may write who may not write any HTML. */
  readonly filter: TextFilter;
}

export function createRevisions({ store, metaKeys, clock, zone, filter }: RevisionsNeeds): Revisions {
  const { db } = store;
  return {
    find: (id) => findRevision(db, id),
    list: (wanted) => listRevisions(db, wanted),
    histories: store.gathered((posts) => historiesOf(db, posts)),

    async autosaves(post) {
      const rows = db.selectFrom('revisions').select(columns).where('post_id', '=', post).where('autosave', '=', 1);
      return (await rows.orderBy('date_gmt', 'desc').orderBy('id', 'desc').limit(most).execute()).map(asSeen);
    },

    async autosave({ id, type }, said, by, { again, unfiltered }) {
      refuseTooLarge(said);
      const settled = metaKeys.settled(type, said.meta ?? {}, unfiltered ? undefined : filter);
      const meta = revisionedOf(metaKeys, settled);
      const texts = textsOf(said, unfiltered ? (text) => text : filter);
      refuseTooLarge(texts);
      const kept = { ...texts, meta: JSON.stringify(meta) };
      const { wall: date, utc: date_gmt } = momentAt(await zone(), clock());
      return store.write(async (tx, { lock, share }) => {
        await share(userLock(by));
        await lock(postLock(id));
        const post = await findPost(tx, id);
        await again?.(tx, post);
        if (post === undefined) throw contentErrors.postInvalidId(id);
        return keepAutosave(tx, post, { ...kept, date, date_gmt, author: by });
      });
    },
  };
}

/** Each has one, and few people write the same record. */
const most = 100;

type Unsaved = Pick<RevisionsTable, 'title' | 'excerpt' | 'content' | 'meta' | 'date' | 'date_gmt' | 'author'>;

/** What is not said is empty, as it was for those who read these before. */
const textsOf = ({ title = '', excerpt = '', content = '' }: PostInput, clean: TextFilter) => ({
  title: clean(title, 'title').trim(),
  excerpt: clean(excerpt, 'excerpt'),
  content: clean(content, 'content'),
});

/** What of a record's meta its history keeps. */
const revisionedOf = ({ isRevisioned }: MetaKeys, meta: MetaValues): MetaValues =>
  Object.fromEntries(Object.entries(meta).filter(([key, value]) => isRevisioned(key) && value !== null));

async function keepAutosave(tx: Writing, { id: post_id }: Post, unsaved: Unsaved): Promise<Revision> {
  const before = await tx
    .selectFrom('revisions')
    .select('id')
    .where('post_id', '=', post_id)
    .where('autosave', '=', 1)
    .where('author', '=', unsaved.author)
    .executeTakeFirst();
  const row = before
    ? await tx.updateTable('revisions').set(unsaved).where('id', '=', before.id).returning(columns).executeTakeFirst()
    : await tx
        .insertInto('revisions')
        .values({ post_id, autosave: 1, ...unsaved })
        .returning(columns)
        .executeTakeFirst();
  return asSeen(row!);
}

/** Of each record so many are kept, and the oldest go first. */
export const createRevisionHooks = (metaKeys: MetaKeys, kept = Number.POSITIVE_INFINITY): RevisionHooks => ({
  async changed(tx, before, after, by, { isMetaChanged = false, keepsAutosave = false } = {}) {
    const unsaved = tx
      .deleteFrom('revisions')
      .where('post_id', '=', after.id)
      .where('autosave', '=', 1)
      .where('author', '=', by);
    if (!keepsAutosave) await unsaved.execute();
    const isChanged = before.title !== after.title || before.content !== after.content;
    if (!isChanged && before.excerpt === after.excerpt && !isMetaChanged) return;
    if (kept === 0) return forgetOlder(tx, after.id, kept);
    const { id: post_id, modified: date, modified_gmt: date_gmt, title, excerpt, content } = after;
    const meta = JSON.stringify(revisionedOf(metaKeys, (await metaOf(tx, [post_id])).get(post_id)!));
    await tx
      .insertInto('revisions')
      .values({ post_id, autosave: 0, author: by, date, date_gmt, meta, title, excerpt, content })
      .execute();
    if (Number.isFinite(kept)) await forgetOlder(tx, post_id, kept);
  },

  async released(tx, { id }) {
    await tx.deleteFrom('revisions').where('post_id', '=', id).execute();
  },
});

async function forgetOlder(tx: Writing, post: number, kept: number): Promise<void> {
  const history = tx.selectFrom('revisions').select('id').where('post_id', '=', post).where('autosave', '=', 0);
  await tx
    .deleteFrom('revisions')
    .where('post_id', '=', post)
    .where('autosave', '=', 0)
    .where('id', '<=', history.orderBy('id', 'desc').limit(1).offset(kept))
    .execute();
}
