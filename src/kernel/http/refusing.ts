// Answers requests that a guard refuses: as the REST interface answers where it was meant or preferred, else as a page.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Roots } from '../faces.ts';
import type { Guarding } from '../guarding.ts';
import { errorBody, statusOf } from '../problem.ts';
import type { IncomingRequest } from '../request.ts';
import type { Refusal } from '../request-guard.ts';
import { type Layout, placeOf } from './address.ts';
import { compose, composePage } from './compose.ts';
import { send } from './sending.ts';

interface Refused {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly incoming: IncomingRequest;
}

interface Place {
  readonly roots: Roots;
  readonly layout: Layout;
}

export async function refuseRequest(
  { end, pageOf, problemOf }: Guarding,
  refusal: Refusal,
  { message, response, incoming }: Refused,
  { roots, layout }: Place,
): Promise<void> {
  await end(refusal, incoming);
  const place = placeOf(message.url ?? '/', layout);
  if (place === undefined && !prefersJson(message.headers.accept)) {
    await send(message, response, composePage(await pageOf(refusal), false), incoming.id);
    return;
  }
  const problem = await problemOf(refusal);
  const face = place?.face ?? (layout.faces === 'neutral' ? 'neutral' : 'classic');
  const body = errorBody(problem, true);
  const reply = { status: statusOf(problem, true), headers: { ...problem.headers }, body, known: true };
  await send(message, response, compose(reply, { face, roots, pretty: false, revalidates: false }), incoming.id);
}

/** Programs say so; browsers name HTML first. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const [json, html] = [accept.search(/application\/(?:[\w.-]+\+)?json\b/i), accept.search(/text\/html\b/i)];
  return json >= 0 && (html < 0 || json < html);
}
