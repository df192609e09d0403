// Pages over HTTP: Fastify finds them, what they are given and what they answer is plain data.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { parseQuery } from '../args/query.ts';
import { Problem } from '../problem.ts';
import { outage } from '../refusal.ts';
import { noSources } from '../request.ts';
import type { Arrival } from './arrival.ts';
import { readSources } from './body.ts';
import { type ClientOf, peerOf } from './client.ts';
import type { Page, PageAnswer, Visit } from './page.ts';

export interface Mounting {
  readonly pages: readonly Page[];
  /** What is shown where no page is. */
  missing(): PageAnswer | Promise<PageAnswer>;
  readonly arrival: Arrival;
  readonly clientOf: ClientOf;
  report(error: unknown, id: string): void;
}

export const plain = 'text/plain; charset=UTF-8';
export const unshown = 'This page cannot be shown just now.\n';

export function mountPages(app: FastifyInstance, mounting: Mounting): void {
  // Bodies are read by us, with the same limits and patience as those of the interface.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  for (const page of mounting.pages) {
    app.route({
      method: page.takesForms ? ['GET', 'POST'] : 'GET',
      url: page.path,
      handler: async ({ raw: message }, reply) => {
        const id = String(reply.raw.getHeader('X-Request-Id'));
        return send(reply, await page.visit(await visitOf(message, id, mounting)));
      },
    });
  }
  app.setNotFoundHandler(async (_request, reply) => send(reply, await mounting.missing()));
  app.setErrorHandler((error, _request, reply) => {
    const id = String(reply.raw.getHeader('X-Request-Id'));
    if (!(error instanceof Problem) && statusOf(error) >= 500) mounting.report(error, id);
    const problem = error instanceof Problem ? error : outage(error);
    if (typeof problem?.status !== 'number') return reply.code(statusOf(error)).type(plain).send(unshown);
    return reply.code(problem.status).headers(problem.headers).type(plain).send(`${problem.message}\n`);
  });
}

const send = (reply: FastifyReply, { status, headers, type, body }: PageAnswer): FastifyReply =>
  reply
    .code(status)
    .headers({ ...headers } as Record<string, string | string[]>)
    .type(type)
    .send(body);

const statusOf = (error: unknown): number => (error as { statusCode?: number }).statusCode ?? 500;

/** Longer than anything people write into a form of ours. */
const formLimit = 64 * 1024;

async function visitOf(message: IncomingMessage, id: string, { clientOf, arrival }: Mounting): Promise<Visit> {
  const [, query = ''] = (message.url ?? '').split(/\?(.*)/s);
  const { form = {} } = message.method === 'POST' ? await readSources(message, formLimit, arrival) : noSources;
  return {
    method: message.method === 'POST' ? 'POST' : 'GET',
    id,
    query: parseQuery(query),
    form,
    headers: message.headers,
    address: clientOf(message),
    peer: peerOf(message),
  };
}
