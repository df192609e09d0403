// Requests no honest client sends, and what must be true after each of them.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { basicOf } from './people.ts';
import { testRows } from './rows.ts';
import type { TestSite } from './site.ts';
import { type Heard, type Manner, type Piece, speak, written } from './wire.ts';

export const host = 'Host: site.test';
export const close = 'Connection: close';
/** Stands for the credentials of an editor, and is as long: `speakTo` puts those in its place. */
export const editor = `Authorization: ${basicOf('editor', 'an application password of it')}`;
export const json = 'Content-Type: application/json';
export const form = 'Content-Type: application/x-www-form-urlencoded';
export const post = 'POST /api/hello/v1/greetings HTTP/1.1';
export const index = 'GET /api/?_fields=name HTTP/1.1';

export const lengthOf = (body: string | Uint8Array): string => `Content-Length: ${Buffer.byteLength(body)}`;

/** A write that would succeed, were it ever taken for a request. */
export const smuggled = (() => {
  const body = '{"text":"smuggled"}';
  return written(post, [host, editor, json, lengthOf(body)], body);
})();

/** A write by an editor with these header lines and this body. */
export const writing = (lines: readonly string[], body = ''): string =>
  written(post, [host, editor, json, ...lines], body);
export const reading = (lines: readonly string[], line = index): string => written(line, [host, ...lines, close]);
export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** As `speak`, and where an editor is meant to ask, one does. */
export async function speakTo(site: TestSite, pieces: readonly Piece[], manner?: Manner): Promise<Heard> {
  const asks = pieces.some((piece) => typeof piece === 'string' && piece.includes(editor));
  if (!asks) return speak(site.port, pieces, manner);
  const real = `Authorization: ${(await site.credentials('editor')).authorization}`;
  assert.equal(real.length, editor.length);
  const filled = pieces.map((piece) => (typeof piece === 'string' ? piece.replaceAll(editor, real) : piece));
  return speak(site.port, filled, manner);
}

export interface Storm {
  readonly name: string;
  readonly send: readonly Piece[];
  /** Every status that may come back, in order. */
  readonly statuses: readonly number[];
  readonly code?: string;
}

export const malformed = (name: string, ...send: Piece[]): Storm => ({
  name,
  send,
  statuses: [400],
  code: 'rest_malformed_request',
});

/** A write with this body, told and ended properly. */
export const sent = (type: string, body: string | Uint8Array, ...more: string[]): Piece[] => [
  written(post, [host, editor, type, lengthOf(body), close, ...more]),
  body,
];
export const refused = (name: string, send: readonly Piece[], code: string, status = 400): Storm => ({
  name,
  send,
  statuses: [status],
  code,
});
export const parts = (count: number, name: (at: number) => string, value = 'x'): string =>
  `${Array.from({ length: count }, (_, at) => `--b\r\nContent-Disposition: form-data; name="${name(at)}"\r\n\r\n${value}\r\n`).join('')}--b--\r\n`;
export const multipart = 'Content-Type: multipart/form-data; boundary=b';

const leak = /node_modules|\/src\/|\.ts:\d|SQLITE|FST_|\bERR_|at \w+ \(/;

function assertAnswered({ statuses, code }: Storm, heard: Heard): void {
  assert.deepEqual(heard.statuses, statuses, heard.text.slice(0, 1_000));
  assert.doesNotMatch(heard.text, leak);
  if (code === undefined) return;
  assert.equal(heard.body?.code, code, heard.text.slice(-1_000));
  assert.equal(heard.body.data.status, statuses.at(-1));
  assert.equal(typeof heard.body.message, 'string');
}

/** One test: each storm gets the answer it expects and the connection ends, and the site is unharmed after each of them. */
export const weather = (site: TestSite, storms: readonly Storm[]): void =>
  testRows('each request gets its answer, and its connection ends', storms, async (storm) => {
    const heard = await speakTo(site, storm.send);
    assertAnswered(storm, heard);
    assert.ok(heard.closed, 'the connection is closed');
    await assertUnharmed(site);
  });

async function assertUnharmed(site: TestSite): Promise<void> {
  const { status, headers } = await site.get('/api/hello/v1/greetings');
  assert.equal(status, 200, 'the site still answers');
  assert.equal(headers.get('x-wp-total'), '0', 'nothing was stored');
  const failures = site.log.lines.filter(({ level }) => level === 'error');
  assert.deepEqual(failures, [], 'nothing failed for a reason nobody foresaw');
}

/** After every test of the suite: the site answers, nothing was stored, nothing failed inside. */
export function unharmed(site: TestSite): void {
  afterEach(() => assertUnharmed(site));
}
