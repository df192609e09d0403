// The reference for new posts: the same rows in the same tables, as durable, by the engine's own driver and nothing else, behind a
// bare node:http server.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { siteTables } from '#site/tables.ts';
import { openStore } from '#store/store.ts';
import type { SiteAsked } from '../booted.ts';
import { given, offer } from '../child.ts';
import { postSent, type Sent } from '../content-site.ts';

type Value = string | number | null;

/** A statement and what it is given, once the number of the post is known. */
interface Statement {
  readonly name: string;
  readonly text: string;
  values(id: number): Value[];
}

const log = { info() {}, warn() {}, error() {} };
const now = '2026-01-02T03:04:05';

const many = (rows: number, columns: number): string =>
  Array.from({ length: rows }, () => `(${Array(columns).fill('?').join(', ')})`).join(', ');

const into = (table: string, rows: readonly Readonly<Record<string, Value>>[], more = ''): string => {
  const columns = Object.keys(rows[0]!);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${many(rows.length, columns.length)} ${more}`;
};

const valuesOf = (rows: readonly Readonly<Record<string, Value>>[]): Value[] =>
  rows.flatMap((row) => Object.values(row));

const plus = (table: string, column: string): string => `DO UPDATE SET ${column} = ${table}.${column} + 1`;

function postRow({ title, content, status }: Sent): Record<string, Value> {
  const slug = title.toLowerCase().replaceAll(' ', '-');
  const row = { type: 'post', status, author: 1, parent: 0, menu_order: 0, slug, date: now, date_gmt: now };
  const same = { modified: now, modified_gmt: now, password: '', comment_status: 'open', ping_status: 'open' };
  const rest = {
    template: '',
    format: '',
    sticky: 0,
    featured_media: 0,
    mime_type: '',
    guid: `http://localhost/${slug}/`,
  };
  return { ...row, ...same, ...rest, version: 1, title_key: title.toLowerCase(), title, excerpt: '', content };
}

/** What goes with it. */
function statementsOf({ title, content, meta, categories, tags }: Sent): Statement[] {
  const terms = [
    ...categories.map((id) => ({ id, taxonomy: 'category' })),
    ...tags.map((id) => ({ id, taxonomy: 'post_tag' })),
  ].sort((one, other) => one.id - other.id);
  const kind = { type: 'post', status: 'publish', date: now };
  const totals = [
    ...terms.map(({ id }) => ({ topic: 'posts.term', key: `${id}/post/publish`, total: 1 })),
    { topic: 'posts', key: 'post/publish', total: 1 },
    { topic: 'posts.author', key: '1/post/publish', total: 1 },
  ];
  const topics = [
    ...['posts', 'posts_search', 'posts_words', 'posts_words_known', 'posts_words_parts'],
    ...['post_meta', 'post_terms', 'terms', 'totals'],
  ];
  const changes = topics.map((topic) => ({ topic, slot: 0, counter: 1 }));
  const made = (name: string, table: string, rows: (id: number) => Record<string, Value>[], more?: string) => ({
    name,
    text: into(table, rows(0), more),
    values: (id: number) => valuesOf(rows(id)),
  });
  const folded = { title: title.toLowerCase(), excerpt: '', content: content.toLowerCase(), kind: 'post publish' };
  return [
    made('meta', 'post_meta', (post_id) =>
      Object.entries(meta).map(([key, value]) => ({ post_id, key, value: JSON.stringify(value) })),
    ),
    made('sorted', 'post_terms', (post_id) =>
      terms.map(({ id, taxonomy }) => ({ term_id: id, post_id, taxonomy, ...kind })),
    ),
    made('found', 'posts_search', (rowid) => [{ rowid, ...folded }]),
    // One by one and in one order, so that writers never wait in a ring.
    ...terms.map(({ id }) => ({
      name: 'carried',
      text: 'UPDATE terms SET count = count + 1 WHERE id = ?',
      values: () => [id],
    })),
    made('totals', 'totals', () => totals, `ON CONFLICT (topic, key) ${plus('totals', 'total')}`),
    made('changes', 'changes', () => changes, `ON CONFLICT (topic, slot) ${plus('changes', 'counter')}`),
  ];
}

type Run = (name: string, statement: string, values: readonly Value[]) => unknown;

/** The words that have a number. */
const numbers = new Map<string, number>();

/** What it is found by: its words, each with the number it got when it was new. */
async function keepWords(run: Run, rowid: number, { title, content }: Sent): Promise<void> {
  const words = new Set(`${title} ${content}`.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  for (const word of words) {
    if (numbers.has(word)) continue;
    const known = (await run('word', into('posts_words_known', [{ word }], 'RETURNING id'), [word])) as {
      id: number;
    }[];
    const id = Number(known[0]!.id);
    await run('part', into('posts_words_parts', [{ rowid: id, word }]), [id, word]);
    numbers.set(word, id);
  }
  const row = { rowid, kind: 'post publish', words: `{${[...words].map((word) => numbers.get(word)).join(',')}}` };
  await run('words', into('posts_words', [row]), valuesOf([row]));
}

async function writePost(run: Run, sent: Sent): Promise<Record<string, Value>> {
  const row = postRow(sent);
  const [made] = (await run('post', into('posts', [row], 'RETURNING id'), valuesOf([row]))) as { id: number }[];
  const id = Number(made!.id);
  await keepWords(run, id, sent);
  for (const { name, text, values } of statementsOf(sent)) await run(name, text, values(id));
  return { ...row, id };
}

type Write = (sent: Sent) => Promise<Record<string, Value>>;

function intoSqlite(file: string): Write {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;');
  const known = new Map<string, StatementSync>();
  const prepared = (statement: string) => {
    const made = known.get(statement) ?? database.prepare(statement);
    known.set(statement, made);
    return made;
  };
  const run: Run = (_, statement, values) => prepared(statement).all(...values);
  const once: Write = async (sent) => {
    prepared('BEGIN IMMEDIATE').run();
    const row = await writePost(run, sent);
    prepared('COMMIT').run();
    return row;
  };
  let turn: Promise<unknown> = Promise.resolve();
  return (sent) => {
    const mine = turn.then(() => once(sent));
    turn = mine;
    return mine;
  };
}

function intoPostgres(url: string): Write {
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  const numbered = (statement: string): string => {
    let at = 0;
    return statement.replaceAll('?', () => `$${++at}`);
  };
  return async (sent) => {
    const client = await pool.connect();
    const run: Run = async (name, statement, values) =>
      (await client.query({ name, text: numbered(statement), values: [...values] })).rows;
    try {
      await client.query('BEGIN');
      const row = await writePost(run, sent);
      await client.query('COMMIT');
      return row;
    } finally {
      client.release();
    }
  };
}

const { data, database } = given<SiteAsked>();
const store = await openStore({ data, tables: siteTables, log, ...(database !== undefined && { database }) });
const terms = Array.from({ length: 20 }, (_, at) => ({
  id: at + 1,
  taxonomy: 'category',
  slug: `t${at}`,
  name: `T${at}`,
}));
await store.write((tx) =>
  tx
    .insertInto('terms')
    .values(terms.map((term) => ({ ...term, name_key: term.slug, description: '', parent: 0, count: 0 })))
    .execute(),
);
await store.close();
const write = database === undefined ? intoSqlite(join(data, 'gatehouse.db')) : intoPostgres(database);
// Writers that find the same words new would wait in a ring.
for (let at = 0; at < 20; at++) await write(postSent(at, { categories: [1], tags: [2, 3], picture: 0 }));

const server = createServer(async (request: IncomingMessage, response) => {
  const body = JSON.stringify(await write(JSON.parse(await text(request)) as Sent));
  response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

offer({ port: () => (server.address() as AddressInfo).port });
