// What the maker of a captcha says of an answer to it. Who the visitor is, and where from, is not told.
import { Problem } from '#kernel/problem.ts';
import { parseJsonObject } from '#lib/objects.ts';
import { second } from '#lib/spans.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { Maker, Place } from './makers.ts';

/** `unjudged`: nobody said whether it is right, and that is not the visitor's fault. */
export type Judged =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly codes: readonly string[] }
  | { readonly kind: 'unjudged'; readonly why: 'keys' | 'unreachable'; readonly codes: readonly string[] };

interface Question {
  readonly maker: Maker;
  readonly secret: string;
  readonly answer: string;
  readonly place: Place;
  /** The least that a visitor must look like a person, where that is said. */
  readonly threshold: number | undefined;
}

interface Needs {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** Instead of the makers. */
  readonly base: string | undefined;
}

const patience = 5 * second;
const most = 16_384;

export async function judged({ outgoing, base }: Needs, question: Question): Promise<Judged> {
  const { maker, secret, answer } = question;
  const { origin, path } = maker.judge;
  try {
    const fetched = await outgoing.fetch(`${(base ?? origin).replace(/\/$/, '')}${path}`, {
      name: 'captcha',
      method: 'POST',
      types: ['application/json'],
      errors: [400],
      most,
      within: patience,
      withinHost: true,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ secret, response: answer }).toString(),
    });
    return readIn(await fetched.text(), question);
  } catch (error) {
    if (error instanceof Upstream) return { kind: 'unjudged', why: 'unreachable', codes: [error.fault] };
    if (error instanceof Problem) return { kind: 'unjudged', why: 'unreachable', codes: [error.code] };
    throw error;
  }
}

/** These are about the keys of the site, not about the visitor. */
const ofKeys = /(?:secret|sitekey|site-key|keys)/;

function readIn(text: string, { place, threshold }: Question): Judged {
  const said = parseJsonObject(text);
  if (said === undefined) return { kind: 'unjudged', why: 'unreachable', codes: ['senseless'] };
  const codes = codesIn(said['error-codes']);
  if (said.success !== true)
    return codes.some((code) => ofKeys.test(code))
      ? { kind: 'unjudged', why: 'keys', codes }
      : { kind: 'wrong', codes };
  if (typeof said.action === 'string' && said.action !== '' && said.action !== place)
    return { kind: 'wrong', codes: ['another-form'] };
  if (threshold !== undefined && !(typeof said.score === 'number' && said.score >= threshold))
    return { kind: 'wrong', codes: ['low-score'] };
  return { kind: 'right' };
}

/** Names alone: whatever else it says is not written down. */
const codesIn = (said: unknown): string[] =>
  Array.isArray(said) ? said.filter((code) => typeof code === 'string' && /^[a-z-]{1,64}$/.test(code)).slice(0, 8) : [];
