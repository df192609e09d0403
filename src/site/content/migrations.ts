// How the tables of content are made.
import { sql } from 'kysely';
import type { TableOwner } from '#store/migrate.ts';
import { searchTable } from '#store/search.ts';
import { wordsTable, wordTables } from '#store/words.ts';
import { commentsSearch, indexAllComments } from './comments/found-by.ts';
import { indexAllPosts, postsSearch, postsWords, searchMarks } from './posts/found-by.ts';

type Step = TableOwner['migrations'][number];

const posts: Step = {
  name: '0001-posts',
  up: async (schema) => {
    const { db, table, column } = schema;
    await table('posts')
      .addColumn('id', column.id)
      .addColumn('type', column.text, (c) => c.notNull())
      .addColumn('status', column.text, (c) => c.notNull())
      .addColumn('author', column.integer, (c) => c.notNull())
      .addColumn('parent', column.integer, (c) => c.notNull())
      .addColumn('menu_order', column.integer, (c) => c.notNull())
      .addColumn('slug', column.text, (c) => c.notNull())
      .addColumn('date', column.text, (c) => c.notNull())
      .addColumn('date_gmt', column.text)
      .addColumn('modified', column.text, (c) => c.notNull())
      .addColumn('modified_gmt', column.text, (c) => c.notNull())
      .addColumn('password', column.text, (c) => c.notNull())
      .addColumn('comment_status', column.text, (c) => c.notNull())
      .addColumn('ping_status', column.text, (c) => c.notNull())
      .addColumn('template', column.text, (c) => c.notNull())
      .addColumn('format', column.text, (c) => c.notNull())
      .addColumn('sticky', column.flag, (c) => c.notNull())
      .addColumn('featured_media', column.integer, (c) => c.notNull())
      .addColumn('mime_type', column.text, (c) => c.notNull())
      .addColumn('guid', column.text, (c) => c.notNull())
      .addColumn('version', column.integer, (c) => c.notNull())
      .addColumn('status_before', column.text)
      .addColumn('slug_before', column.text)
      .addColumn('trashed_at', column.instant)
      .addColumn('title_key', column.text, (c) => c.notNull())
      .addColumn('title', column.text, (c) => c.notNull())
      .addColumn('excerpt', column.text, (c) => c.notNull())
      .addColumn('content', column.text, (c) => c.notNull())
      .execute();
    const sorted = {
      date: 'posts_by_date',
      modified: 'posts_by_change',
      title_key: 'posts_by_title',
      slug: 'posts_by_slug',
    };
    for (const [by, name] of Object.entries(sorted))
      await db.schema.createIndex(name).on('posts').columns(['type', 'status', by, 'id']).execute();
    await db.schema
      .createIndex('posts_by_author')
      .on('posts')
      .columns(['author', 'type', 'status', 'date', 'id'])
      .execute();
    await db.schema
      .createIndex('posts_by_parent')
      .on('posts')
      .columns(['parent', 'type', 'status', 'date', 'id'])
      .execute();
    await db.schema.createIndex('posts_named').on('posts').columns(['slug', 'type', 'parent']).execute();
    await db.schema
      .createIndex('posts_featuring')
      .on('posts')
      .column('featured_media')
      .where(sql<boolean>`featured_media > 0`)
      .execute();
    await db.schema
      .createIndex('posts_due')
      .on('posts')
      .column('date_gmt')
      .where(sql<boolean>`status = 'future'`)
      .execute();
    await db.schema
      .createIndex('posts_trashed')
      .on('posts')
      .column('trashed_at')
      .where(sql<boolean>`status = 'trash'`)
      .execute();
    await db.schema
      .createIndex('posts_sticky')
      .on('posts')
      .columns(['date', 'id'])
      .where(sql<boolean>`sticky = 1`)
      .execute();
    await db.schema
      .createIndex('posts_by_format')
      .on('posts')
      .columns(['format', 'type', 'status', 'date', 'id'])
      .where(sql<boolean>`format <> ''`)
      .execute();
    await searchTable(schema, postsSearch.table, Object.keys(postsSearch.columns), searchMarks);
    await wordsTable(schema, postsWords, searchMarks);
    await table('post_meta')
      .addColumn('post_id', column.integer, (c) => c.notNull().references('posts.id'))
      .addColumn('key', column.text, (c) => c.notNull())
      .addColumn('value', column.json, (c) => c.notNull())
      .addPrimaryKeyConstraint('post_meta_key', ['post_id', 'key'])
      .execute();
    await table('old_slugs')
      .addColumn('slug', column.text, (c) => c.notNull())
      .addColumn('post_id', column.integer, (c) => c.notNull().references('posts.id'))
      .addPrimaryKeyConstraint('old_slugs_key', ['slug', 'post_id'])
      .execute();
    await db.schema.createIndex('old_slugs_by_post').on('old_slugs').column('post_id').execute();
    await table('revisions')
      .addColumn('id', column.id)
      .addColumn('post_id', column.integer, (c) => c.notNull().references('posts.id'))
      .addColumn('autosave', column.flag, (c) => c.notNull())
      .addColumn('author', column.integer, (c) => c.notNull())
      .addColumn('date', column.text, (c) => c.notNull())
      .addColumn('date_gmt', column.text, (c) => c.notNull())
      .addColumn('meta', column.json, (c) => c.notNull())
      .addColumn('title', column.text, (c) => c.notNull())
      .addColumn('excerpt', column.text, (c) => c.notNull())
      .addColumn('content', column.text, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('revisions_of')
      .on('revisions')
      .columns(['post_id', 'autosave', 'date_gmt', 'id'])
      .execute();
    await db.schema.createIndex('revisions_by_author').on('revisions').column('author').execute();
  },
};

const media: Step = {
  name: '0002-media',
  up: async ({ db, table, column }) => {
    await table('media')
      .addColumn('post_id', column.integer, (c) => c.primaryKey().references('posts.id'))
      .addColumn('file', column.text, (c) => c.notNull())
      .addColumn('original', column.text)
      .addColumn('size', column.integer, (c) => c.notNull())
      .addColumn('width', column.integer)
      .addColumn('height', column.integer)
      .addColumn('alt_text', column.text, (c) => c.notNull())
      .addColumn('details', column.json, (c) => c.notNull())
      .addColumn('unfinished', column.flag, (c) => c.notNull())
      .execute();
    // Nobody looks files up by it: it is the last guard against two records with one file.
    await db.schema.createIndex('media_files').on('media').column('file').unique().execute();
  },
};

const terms: Step = {
  name: '0003-terms',
  up: async ({ db, table, column }) => {
    await table('terms')
      .addColumn('id', column.id)
      .addColumn('taxonomy', column.text, (c) => c.notNull())
      .addColumn('slug', column.text, (c) => c.notNull())
      .addColumn('name', column.text, (c) => c.notNull())
      .addColumn('name_key', column.text, (c) => c.notNull())
      .addColumn('description', column.text, (c) => c.notNull())
      .addColumn('parent', column.integer, (c) => c.notNull())
      .addColumn('count', column.integer, (c) => c.notNull())
      .execute();
    await db.schema.createIndex('terms_named').on('terms').columns(['taxonomy', 'slug']).unique().execute();
    for (const by of ['name_key', 'count'])
      await db.schema.createIndex(`terms_by_${by}`).on('terms').columns(['taxonomy', by, 'id']).execute();
    await db.schema.createIndex('terms_below').on('terms').columns(['taxonomy', 'parent', 'name_key', 'id']).execute();
    await db.schema
      .createIndex('terms_in_use')
      .on('terms')
      .columns(['taxonomy', 'name_key', 'id'])
      .where(sql<boolean>`count <> 0`)
      .execute();
    await table('post_terms')
      .addColumn('term_id', column.integer, (c) => c.notNull().references('terms.id'))
      .addColumn('post_id', column.integer, (c) => c.notNull().references('posts.id'))
      .addColumn('taxonomy', column.text, (c) => c.notNull())
      .addColumn('type', column.text, (c) => c.notNull())
      .addColumn('status', column.text, (c) => c.notNull())
      .addColumn('date', column.text, (c) => c.notNull())
      .addPrimaryKeyConstraint('post_terms_key', ['post_id', 'term_id'])
      .execute();
    const listed = ['term_id', 'type', 'status', 'date', 'post_id'];
    await db.schema.createIndex('post_terms_listed').on('post_terms').columns(listed).execute();
  },
};

const comments: Step = {
  name: '0004-comments',
  up: async (schema) => {
    const { db, table, column } = schema;
    await table('comments')
      .addColumn('id', column.id)
      .addColumn('post_id', column.integer, (c) => c.notNull().references('posts.id'))
      .addColumn('parent', column.integer, (c) => c.notNull())
      .addColumn('user_id', column.integer, (c) => c.notNull())
      .addColumn('author_name', column.text, (c) => c.notNull())
      .addColumn('author_email', column.text, (c) => c.notNull())
      .addColumn('email_key', column.text, (c) => c.notNull())
      .addColumn('author_url', column.text, (c) => c.notNull())
      .addColumn('author_ip', column.text, (c) => c.notNull())
      .addColumn('author_user_agent', column.text, (c) => c.notNull())
      .addColumn('date', column.text, (c) => c.notNull())
      .addColumn('date_gmt', column.text, (c) => c.notNull())
      .addColumn('type', column.text, (c) => c.notNull())
      .addColumn('status', column.text, (c) => c.notNull())
      .addColumn('status_before', column.text)
      .addColumn('trashed_at', column.instant)
      .addColumn('content', column.text, (c) => c.notNull())
      .execute();
    const indexes: Record<string, string[]> = {
      comments_by_date: ['status', 'date_gmt', 'id'],
      comments_of: ['post_id', 'status', 'date_gmt', 'id'],
      comments_by_parent: ['parent', 'status', 'date_gmt', 'id'],
      comments_by_user: ['user_id', 'status', 'date_gmt', 'id'],
      comments_by_email: ['email_key', 'date_gmt'],
      comments_by_address: ['author_ip', 'date_gmt'],
    };
    for (const [name, columns] of Object.entries(indexes))
      await db.schema.createIndex(name).on('comments').columns(columns).execute();
    await db.schema
      .createIndex('comments_trashed')
      .on('comments')
      .column('trashed_at')
      .where(sql<boolean>`status = 'trash'`)
      .execute();
    await searchTable(schema, commentsSearch.table, Object.keys(commentsSearch.columns));
  },
};

const meta: Step = {
  name: '0005-meta',
  up: async ({ table, column }) => {
    for (const [name, of] of Object.entries({ term: 'terms', comment: 'comments' }))
      await table(`${name}_meta`)
        .addColumn(`${name}_id`, column.integer, (c) => c.notNull().references(`${of}.id`))
        .addColumn('key', column.text, (c) => c.notNull())
        .addColumn('value', column.json, (c) => c.notNull())
        .addPrimaryKeyConstraint(`${name}_meta_key`, [`${name}_id`, 'key'])
        .execute();
  },
};

/** Those that somebody may not read: there are few, and every list of comments and files asks for them. */
const marked: Step = {
  name: '0006-marked',
  up: async ({ db }) => {
    await db.schema
      .createIndex('posts_marked')
      .on('posts')
      .columns(['status', 'type', 'author', 'id'])
      .where(sql<boolean>`status not in ('publish', 'inherit') or password <> ''`)
      .execute();
  },
};

/** Filled together with the search table. */
const withTheSearch = async (): Promise<void> => {};

export const contentTables: TableOwner = {
  owner: 'content',
  migrations: [posts, media, terms, comments, meta, marked],
  derived: {
    [postsSearch.table]: indexAllPosts,
    ...Object.fromEntries([postsWords, ...Object.values(wordTables(postsWords))].map((name) => [name, withTheSearch])),
    [commentsSearch.table]: indexAllComments,
  },
};
