// Records on an empty database, with a clock that a test moves, and further processes that share it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Zone } from '#lib/wall-time.ts';
import { releaseFiles } from '#site/content/media/reserved-paths.ts';
import { createMetaKeys } from '#site/content/meta.ts';
import { createPermalinks } from '#site/content/permalinks.ts';
import type { CommentHooks } from '#site/content/posts/hooks.ts';
import type { Post, PostInput, Posts } from '#site/content/posts/post.ts';
import { createPosts, type PostsNeeds } from '#site/content/posts/posts.ts';
import { createRevisionHooks } from '#site/content/revisions/revisions.ts';
import type { ContentTables } from '#site/content/tables.ts';
import { termHooks } from '#site/content/terms/post-hooks.ts';
import type { Terms } from '#site/content/terms/term.ts';
import { createTerms } from '#site/content/terms/terms.ts';
import { createKinds } from '#site/content/types.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import { createJobs } from '#site/jobs/create.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { createEvents } from '#site/platform/events.ts';
import { createSeal } from '#site/platform/seal.ts';
import { createSettings } from '#site/platform/settings/settings.ts';
import { siteGroup } from '#site/platform/settings/site.ts';
import type { TotalsTables } from '#site/platform/totals.ts';
import { siteTables } from '#site/tables.ts';
import type { Store } from '#store/store.ts';
import { siteDefaults } from '../../src/config/site.ts';
import { keptLog, type Place, type TestEngine } from './databases.ts';
import { type TestClock, testClock } from './queue.ts';

export interface Records {
  readonly posts: Posts;
  readonly terms: Terms;
  readonly store: Store<ContentTables & TotalsTables & IdentityTables>;
  readonly clock: TestClock;
  readonly jobs: Jobs;
  /** What was told, with the numbers of the records. */
  readonly told: string[];
  /** As the site itself, to whom nothing is refused. */
  add(said: PostInput, type?: string): Promise<Post>;
  change(post: Post, said: PostInput): Promise<Post>;
  /** As a second process has them: the same database and clock. */
  another(): Promise<Records>;
}

export interface RecordsOptions {
  readonly zone?: Zone;
  readonly needs?: Partial<PostsNeeds>;
}

const url = 'http://site.test';
const told = ['post.saved', 'post.published', 'post.trashed', 'post.restored', 'post.deleted'] as const;

export async function someRecords(engine: TestEngine, options: RecordsOptions = {}): Promise<Records> {
  const shared = { place: await engine.place(siteTables), clock: testClock(), key: randomBytes(32) };
  return opened(engine, shared, options);
}

interface Shared {
  readonly place: Place;
  readonly clock: TestClock;
  readonly key: Buffer;
}

async function opened(engine: TestEngine, shared: Shared, options: RecordsOptions): Promise<Records> {
  const { place, clock, key } = shared;
  const store = await engine.store(siteTables, place);
  const [log, seal, events] = [keptLog(), createSeal(key), createEvents((error) => assert.fail(error as Error))];
  const jobs = createJobs({ store, clock, seal, log });
  engine.atEnd(() => jobs.stop());
  const own = siteGroup({ ...siteDefaults, url });
  const settings = createSettings({ store, seal, events, log, groups: [own] });
  const kinds = createKinds();
  const terms = createTerms({ store, kinds, events, settings, siteGroup: own });
  const metaKeys = createMetaKeys();
  const needs: PostsNeeds = {
    store,
    clock,
    events,
    jobs,
    kinds,
    metaKeys,
    zone: () => options.zone ?? { timezone: '', offset: 0 },
    defaults: () => settings.read(own),
    filter: (html) => html.replaceAll('<', ''),
    terms: { ...termHooks, defaultCategory: terms.defaultCategory, withBelow: terms.withBelow },
    revisions: createRevisionHooks(metaKeys),
    comments: silent,
    permalinks: createPermalinks({ db: store.db, kinds, url, frontPage: () => 0 }),
    onErase: [releaseFiles],
    trashDays: 30,
    ...options.needs,
  };
  const posts = createPosts(needs);
  const heard: string[] = [];
  for (const name of told) events.on(name, ({ post }) => void heard.push(`${name} ${post.id}`));
  const doing = { unfiltered: true };
  return {
    posts,
    terms,
    store,
    clock,
    jobs,
    told: heard,
    add: (said, type = 'post') => posts.add(type, said, doing),
    change: (post, said) => posts.change(post, said, doing),
    another: () => opened(engine, shared, options),
  };
}

/** Nobody comments here. */
const silent: CommentHooks = { trashed: async () => {}, restored: async () => {}, released: async () => {} };
