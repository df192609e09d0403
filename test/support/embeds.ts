// Somebody who asks what to show of pages of another site, which answers as a test tells it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import { createOutgoing } from '#site/outgoing/guard.ts';
import { createShares } from '#site/outgoing/shares.ts';
import { createRateLimits, rateLimitTables } from '#site/platform/rate-limits.ts';
import { createKeptAnswers, createOtherEmbeds, nothing, type Wanted } from '../../src/extensions/embeds/others.ts';
import { tables } from '../../src/extensions/embeds/tables.ts';
import { keptLog, type TestEngine } from './databases.ts';
import { slowTime } from './guarded.ts';
import { type AskedRemote, aRemote } from './remote.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export const json =
  (body: unknown, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  };

export const page =
  (html: string): Answer =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(html);
  };

export const video = { type: 'video', version: '1.0', width: 1200, height: 600 };
export const frame = '<iframe src="https://frames.test/1" width="1200" height="600"></iframe>';

/** Somebody who asks about pages of one other site, on a store of their own, with a clock that the test moves. */
export async function asking(engine: TestEngine, paths: Readonly<Record<string, Answer>>, known = false) {
  let isKnown = known;
  const remote = await aRemote((request, response) => {
    const answer = paths[new URL(request.url!, 'http://x').pathname];
    if (answer !== undefined) return answer(request, response);
    response.writeHead(404).end();
  });
  engine.atEnd(() => remote.close());
  const store = await engine.store([rateLimitTables, { owner: 'embeds', ...tables! }]);
  const patience = slowTime();
  let now = Date.parse('2026-11-20T12:00:00Z');
  const clock = () => new Date(now);
  const rateLimits = createRateLimits({ store, clock });
  const others = createOtherEmbeds({
    outgoing: createOutgoing({ allowHosts: [remote.host], version: '1', log: keptLog(), after: patience.later }),
    kept: createKeptAnswers(store, clock),
    site: 'http://site.test',
    providers: () => (isKnown ? [{ match: [`${remote.host}/p/*`], endpoint: `${remote.url}/oembed`, dnt: true }] : []),
    own: async (url) => {
      if (url !== 'http://site.test/mine/') throw nothing();
      return { type: 'rich' };
    },
    mayAsk: (user) => rateLimits.take(`embeds ${user}`, 60, minute),
    shares: createShares(clock, { each: 4, all: 16, aMinute: 60 }),
    secret: () => 'abcdefghij',
  });
  const show = (path: string, more: Partial<Wanted> = {}): Promise<Record<string, unknown>> =>
    others.show(1, {
      url: path.startsWith('http') ? path : remote.url + path,
      format: 'json',
      maxwidth: 600,
      discover: true,
      ...more,
    }) as never;
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  const traces = () =>
    Promise.all([
      store.db.selectFrom('rate_limits').selectAll().execute(),
      store.db.selectFrom('embeds_answers').selectAll().execute(),
    ]);
  const believe = (on: boolean): void => {
    isKnown = on;
  };
  return { remote, show, others, believe, pass, patience, traces, asked: () => askedPaths(remote) };
}

const askedPaths = ({ asked, url }: AskedRemote): string[] => asked.map((one) => new URL(one.url!, url).pathname);

export const refused = (code: string, status: number, reason?: string) => (error: unknown) =>
  error instanceof Problem && error.code === code && error.status === status && error.details.reason === reason;

export const link = (href: string, type = 'application/json+oembed') =>
  `<link rel="alternate" type="${type}" href="${href}">`;
