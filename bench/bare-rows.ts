// Rows written by the driver of the engine and nothing else: what writing them takes at the least.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import pg from 'pg';
import { searchRow } from '#site/content/posts/found-by.ts';
import type { Post } from '#site/content/posts/post.ts';

type Value = string | number | null;

interface Connection {
  /** How a transaction begins. */
  readonly begin: string;
  run(statement: string, values: readonly Value[]): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface BareRows {
  put(table: string, row: object, more?: string): Promise<readonly Record<string, unknown>[]>;
  run: Connection['run'];
  count(topic: string, key: string, total: number): Promise<unknown>;
  /** With what it is found and counted by. */
  post(post: Post): Promise<void>;
  commit(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** A SQLite file (WAL, `synchronous=FULL`), or the address of a PostgreSQL database. */
export async function bareRows(place: string | { readonly file: string }): Promise<BareRows> {
  const { run, begin, close } = typeof place === 'string' ? await intoPostgres(place) : intoSqlite(place.file);
  const numbers = new Map<string, number>();
  const put: BareRows['put'] = (table, row, more = '') => {
    const names = Object.keys(row);
    const text = `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) ${more}`;
    return run(text, Object.values(row));
  };
  const count: BareRows['count'] = (topic, key, total) =>
    put('totals', { topic, key, total }, `on conflict (topic, key) do update set total = totals.total + ${total}`);
  return {
    put,
    run,
    count,
    close,
    async post(post) {
      await put('posts', post);
      const found = searchRow(post);
      await put('posts_search', found);
      const said = new Set(`${found.title} ${found.excerpt} ${found.content}`.match(/[\p{L}\p{N}]+/gu));
      for (const word of said) {
        if (numbers.has(word)) continue;
        const [{ id } = { id: 0 }] = await put('posts_words_known', { word }, 'returning id');
        await put('posts_words_parts', { rowid: Number(id), word });
        numbers.set(word, Number(id));
      }
      const ids = `{${[...said].map((word) => numbers.get(word)).join(',')}}`;
      await put('posts_words', { rowid: post.id, kind: found.kind, words: ids });
      await count('posts', `${post.type}/${post.status}`, 1);
      await count('posts.author', `${post.author}/${post.type}/${post.status}`, 1);
    },
    async commit(work) {
      await run(begin, []);
      await work();
      await run('commit', []);
    },
  };
}

function intoSqlite(file: string): Connection {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;');
  const known = new Map<string, StatementSync>();
  return {
    begin: 'begin immediate',
    async run(statement, values) {
      const prepared = known.get(statement) ?? database.prepare(statement.replace(/\$\d+/g, '?'));
      known.set(statement, prepared);
      return prepared.all(...values);
    },
    close: async () => database.close(),
  };
}

async function intoPostgres(database: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const names = new Map<string, string>();
  return {
    begin: 'begin',
    async run(text, values) {
      const name = names.get(text) ?? `s${names.size}`;
      names.set(text, name);
      return (await client.query({ name, text, values: [...values] })).rows;
    },
    close: () => client.end(),
  };
}
