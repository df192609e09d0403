// Who stands at the door: asked of every request before anything of it is looked at, kept answers included.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Roots } from '../faces.ts';
import type { Knock } from '../knock.ts';
import { errorBody, type Problem, statusOf } from '../problem.ts';
import type { FormFile, Upload } from '../upload.ts';
import { type Layout, placeOf } from './address.ts';
import { compose, composePage } from './compose.ts';
import type { PageAnswer } from './page.ts';
import { send } from './sending.ts';

/** What was sent to a page, as far as it was read. */
export interface SentToPage {
  readonly bytes?: Uint8Array | undefined;
  readonly form?: Readonly<Record<string, unknown>> | undefined;
  readonly files?: readonly FormFile[] | undefined;
  readonly upload?: Upload | undefined;
  /** A file is still to come: then this is asked again. */
  readonly isToCome?: boolean;
}

/** Why nothing is done for a request: as the interface says it, and as people are told. */
export interface Stop {
  problem(): Promise<Problem>;
  page(): PageAnswer | Promise<PageAnswer>;
  /** What else has to be done with it, before it is answered. */
  done?(): Promise<void>;
}

export interface Doorkeeper {
  /** Says so at once. */
  arriving(knock: Knock): Stop | undefined;
  /** Whether an answer that was kept for everybody will do. */
  keeps(knock: Knock): boolean;
  /** Whether all of the body of a request to a page is wanted, whatever the page itself takes. */
  reads(knock: Knock): boolean;
  /** Of a page or a file, once what was sent to it is read. */
  visiting(knock: Knock, sent: SentToPage): Promise<Stop | undefined>;
}

/** Nobody is kept out. */
export const openDoor: Doorkeeper = {
  arriving: () => undefined,
  keeps: () => true,
  reads: () => false,
  visiting: async () => undefined,
};

interface Place {
  readonly roots: Roots;
  readonly layout: Layout;
}

/** Answers who is stopped: in the interface's form where the interface was meant, or whoever asks prefers it; else by a page. */
export async function turnAway(
  stop: Stop,
  message: IncomingMessage,
  response: ServerResponse,
  id: string,
  { roots, layout }: Place,
): Promise<void> {
  await stop.done?.();
  const place = placeOf(message.url ?? '/', layout);
  if (place === undefined && !prefersJson(message.headers.accept)) {
    await send(message, response, composePage(await stop.page(), false), id);
    return;
  }
  const problem = await stop.problem();
  const face = place?.face ?? (layout.faces === 'neutral' ? 'neutral' : 'classic');
  const body = errorBody(problem, true);
  const reply = { status: statusOf(problem, true), headers: { ...problem.headers }, body, known: true };
  await send(message, response, compose(reply, { face, roots, pretty: false, revalidates: false }), id);
}

/** Programs say so; browsers name HTML first. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const [json, html] = [accept.search(/application\/(?:[\w.-]+\+)?json\b/i), accept.search(/text\/html\b/i)];
  return json >= 0 && (html < 0 || json < html);
}
