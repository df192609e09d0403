import type { Toolkit } from '#site/extension.ts';
import type { Probe } from '../probe.ts';
import { called } from './counting.ts';

/** Routes whose answers are no records. */
export function answering({
  route,
  resource,
  raw,
  withStatus,
  lasting,
  created,
  deleted,
  t,
  page,
  perPage,
}: Toolkit<Probe>) {
  return [
    route({
      method: 'GET',
      path: 'long-list',
      summary: 'An empty page of a collection that is as long as the request says',
      access: 'public',
      args: { page: page(), per_page: perPage() },
      resource: resource({ name: 'nothing', fields: { id: t.integer() } }),
      handle: ({ request }) => ({ items: [], total: Number(request.headers['x-total']) }),
    }),
    route({
      method: 'GET',
      path: 'hidden',
      summary: 'Not in the index',
      access: 'public',
      hidden: true,
      handle: () => ({ here: true }),
    }),
    route({
      method: 'GET',
      path: 'half-hidden',
      summary: 'In the index',
      access: 'public',
      handle: () => ({ here: true }),
    }),
    route({
      method: 'POST',
      path: 'half-hidden',
      summary: 'Not in the index',
      access: 'public',
      hidden: true,
      batch: true,
      handle: ({ request }) => ({ headers: request.headers }),
    }),
    route({
      method: 'GET',
      path: 'csv',
      summary: 'No JSON',
      access: 'public',
      handle: () => raw('a,b\n1,2\n', 'text/csv; charset=UTF-8', { 'Content-Disposition': 'attachment' }),
    }),
    route({ method: 'DELETE', path: 'nothing', summary: 'No answer', access: 'public', handle: () => null }),
    route({
      method: 'POST',
      path: 'accepted',
      summary: 'A status of its own',
      access: 'public',
      handle: () => withStatus(202, { queued: true, deep: { one: 1, two: 2 } }),
    }),
    route({
      method: 'POST',
      path: 'plain',
      summary: 'Something new that is no record of a resource',
      access: 'public',
      handle: () => created({ id: 5, word: 'new' }),
    }),
    route({
      method: 'DELETE',
      path: 'plain',
      summary: 'The end of something that is no record of a resource',
      access: 'public',
      handle: () => deleted({ id: 5, word: 'old' }),
    }),
    route({
      method: 'GET',
      path: 'calls',
      summary: 'How often each handler ran',
      access: 'public',
      handle: ({ use }) => withStatus(200, Object.fromEntries(use.calls)),
    }),
    route({
      method: 'GET',
      path: 'lasting',
      summary: 'True for a minute',
      access: 'public',
      handle: ({ use }) => lasting({ calls: called(use, 'lasting') }, use.clock().getTime() + 60_000),
    }),
    route({
      method: 'GET',
      path: 'linking',
      summary: 'A record whose links lead to answers of every kind',
      access: 'public',
      resource: resource({
        name: 'linking',
        fields: { id: t.integer() },
        links: () => ({
          lasting: [{ embeddable: true, href: '/probe/v1/lasting' }],
          away: [{ embeddable: true, href: '/probe/v1/away' }],
          word: [{ embeddable: true, href: '/probe/v1/word/caf%C3%A9%20noir' }],
          lost: [{ embeddable: true, href: '/probe/v1/nope' }],
          elsewhere: [{ embeddable: true, href: 'http://other.test/x' }],
        }),
      }),
      handle: ({ use }) => ({ id: called(use, 'linking') }),
    }),
    route({
      method: 'GET',
      path: 'long',
      summary: 'Long enough to be compressed',
      access: 'public',
      args: { times: t.integer({ default: 5000 }) },
      handle: ({ args }) => ({ text: 'ä'.repeat(args.times) }),
    }),
  ];
}
