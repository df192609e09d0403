// The reference for writes: the same row, as durable, by the engine's own driver and nothing else; alone or behind a bare
// node:http server.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { given, offer } from '../child.ts';
import { writeFor } from '../writing.ts';

export interface BareAsked {
  readonly file?: string;
  readonly database?: string | undefined;
}

interface Row {
  readonly text: string;
  readonly mood: string;
}

type Insert = (row: Row) => unknown;

const columns = 'text, mood, note, in_reply_to, author, created_at';
const valuesOf = ({ text, mood }: Row) => [text, mood, '', 0, 1, new Date().toISOString()];

function intoSqlite(file: string): Insert {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
    CREATE TABLE greetings (id INTEGER PRIMARY KEY, text TEXT, mood TEXT, note TEXT, in_reply_to INTEGER, author INTEGER, created_at TEXT);
    CREATE INDEX replies ON greetings (in_reply_to, id);`);
  const insert = database.prepare(`INSERT INTO greetings (${columns}) VALUES (?, ?, ?, ?, ?, ?) RETURNING *`);
  return (row) => insert.get(...valuesOf(row));
}

async function intoPostgres(url: string): Promise<Insert> {
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  await pool.query(`CREATE TABLE greetings (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text, mood text, note text,
    in_reply_to bigint, author bigint, created_at text)`);
  await pool.query('CREATE INDEX replies ON greetings (in_reply_to, id)');
  const statement = `INSERT INTO greetings (${columns}) VALUES ($1, $2, $3, $4, $5, $6) RETURNING *`;
  return async (row) => (await pool.query({ name: 'insert', text: statement, values: valuesOf(row) })).rows[0];
}

const { file, database } = given<BareAsked>();
const insert = file === undefined ? await intoPostgres(database!) : intoSqlite(file);

const server = createServer(async (request: IncomingMessage, response) => {
  const body = JSON.stringify(await insert(JSON.parse(await text(request)) as Row));
  response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

offer({
  port: () => (server.address() as AddressInfo).port,
  write: ({ writers, milliseconds }: { writers: number; milliseconds: number }) =>
    writeFor(milliseconds, writers, insert),
});
