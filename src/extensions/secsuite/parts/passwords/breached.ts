// Whether a password has become known elsewhere. Five of the forty signs of its fingerprint are sent, and some hundred fingerprints that
// begin so come back: nobody learns which of them was meant. A service that cannot be asked keeps nobody from anything.
import { createHash } from 'node:crypto';
import { Problem } from '#kernel/problem.ts';
import { Lru } from '#lib/lru.ts';
import { hour, minute, second } from '#lib/spans.ts';
import { type Outgoing, type Purpose, Upstream } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Event } from '../../logs/entry.ts';

export interface Breached {
  /** Nothing, where nobody could be asked. */
  has(password: string): Promise<boolean | undefined>;
  /** Why nobody could be asked last, and cannot for a while. */
  readonly trouble: 'nobody' | 'unreachable' | undefined;
}

interface Needs {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly clock: Clock;
  /** Where lists are asked for, as the operator laid it down; nobody is asked without it. */
  readonly base: string | undefined;
  log(event: Event): void;
}

/** Most lists have a thousand lines. */
const most = 131_072;
const remembered = 64;
const patience = 3 * second;
/** In that time nobody waits once more for a service that did not answer. */
const pause = minute;

const purpose: Purpose = {
  name: 'breached passwords',
  types: ['text/plain'],
  most,
  within: patience,
  withinHost: true,
  // Then every list is as long as any other: its length tells nobody which it is.
  headers: { 'Add-Padding': 'true' },
};

interface List {
  readonly lines: string;
  readonly until: number;
}

export function createBreached({ outgoing, clock, base, log }: Needs): Breached {
  const lists = new Lru<string, List>(remembered);
  let silent: { readonly until: number; readonly why: 'nobody' | 'unreachable' } | undefined;

  const isSilent = () => silent !== undefined && silent.until > clock().getTime();

  /** Told once for each pause, however many waited, and without a word of what was asked. */
  const unasked = (why: 'nobody' | 'unreachable', lasts: number, fault?: string): undefined => {
    if (isSilent()) return;
    silent = { until: clock().getTime() + lasts, why };
    const data = {
      why,
      ...(fault !== undefined && { fault }),
      ...(base !== undefined && { host: URL.parse(base)?.host }),
    };
    log({ module: 'password_requirements', code: 'breached-not-asked', type: 'warning', data });
  };

  async function listOf(prefix: string, at: string): Promise<string | undefined> {
    const now = clock().getTime();
    const kept = lists.get(prefix);
    if (kept !== undefined && kept.until > now) return kept.lines;
    try {
      const lines = linesIn(await (await outgoing.fetch(`${at.replace(/\/$/, '')}/range/${prefix}`, purpose)).text());
      lists.set(prefix, { lines, until: now + hour });
      silent = undefined;
      return lines;
    } catch (error) {
      if (!(error instanceof Upstream || error instanceof Problem)) throw error;
      return unasked('unreachable', pause, error instanceof Upstream ? error.fault : error.code);
    }
  }

  return {
    async has(password) {
      if (isSilent()) return undefined;
      if (base === undefined) return unasked('nobody', hour);
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
      const lines = await listOf(hash.slice(0, 5), base);
      return lines === undefined ? undefined : isIn(lines, hash.slice(5));
    },
    get trouble() {
      return isSilent() ? silent?.why : undefined;
    },
  };
}

const line = /^[0-9A-F]{35}:\d+$/;

/** What is no list at all is no answer: a network that wants a sign-in of its own answers for everybody. */
function linesIn(text: string): string {
  const lines = text.toUpperCase().split(/\r?\n/);
  if (!line.test(lines[0] ?? '')) throw new Upstream('broken', 'The answer is not a list of password hashes.');
  return lines.filter((one) => line.test(one)).join('\n');
}

/** What was added to make lists longer was seen no time. */
function isIn(lines: string, rest: string): boolean {
  const at = lines.indexOf(`${rest}:`);
  return at >= 0 && Number.parseInt(lines.slice(at + rest.length + 1), 10) > 0;
}
