// How the hub is spoken to: what is sent is signed, and what it answers is bounded, and believed only where it makes sense.
import { createHmac } from 'node:crypto';
import { Problem, problemFrom } from '#kernel/problem.ts';
import { readText } from '#lib/html-tokens.ts';
import { parseJsonObject } from '#lib/objects.ts';
import { printable, steers } from '#lib/printable.ts';
import { second } from '#lib/spans.ts';
import { type Fetched, type Outgoing, type Purpose, refusing, Upstream } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import { hubConnectorErrors, notAsked, unasked, whyOf } from './errors.ts';
import type { Account } from './settings.ts';

/** What the hub makes of what it was told. */
export type Said =
  | { readonly kind: 'taken'; readonly membership: string; readonly hub_site_id: number }
  /** It does not know the key, or does not know the site any more. */
  | { readonly kind: 'refused'; readonly what: 'key' | 'site' };

export interface Hub {
  /** Throws a `Problem` where the hub says nothing that helps. */
  tell(account: Account, inventory: object, siteId: number, signal?: AbortSignal): Promise<Said>;
  /** Whether the hub says that it has forgotten the site. It does not, where the signal comes first. */
  leave(account: Account, site: object, siteId: number, signal?: AbortSignal): Promise<boolean>;
}

interface Needs {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly clock: Clock;
  /** By which the hub knows what it was sent twice. */
  readonly unique: () => string;
}

const patience = 15 * second;
const most = 65_536;
const errors = Array.from({ length: 200 }, (_, at) => 400 + at);

type Asked = Pick<Purpose, 'body' | 'signal'> & { readonly method: 'POST' | 'DELETE'; readonly path: string };

export function createHub({ outgoing, clock, unique }: Needs): Hub {
  const ask = ({ url, key }: Account, siteId: number, { path, ...sent }: Asked) =>
    outgoing.fetch(`${url}/${path}`, {
      ...sent,
      name: 'hub',
      types: ['application/json'],
      errors,
      most,
      within: patience,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        ...(siteId > 0 && { 'X-Hub-Site-Id': String(siteId) }),
        ...signed(String(sent.body), key, Math.floor(clock().getTime() / second)),
        'Idempotency-Key': unique(),
      },
    });
  return {
    async tell(account, inventory, siteId, signal) {
      // What is signed is never the same twice, so a hub that takes each message once takes two within a second.
      const body = JSON.stringify({ ...inventory, message_id: unique() });
      const sent = { method: 'POST', path: 'hub-sync', body, signal } as const;
      return ask(account, siteId, sent)
        .then((fetched) => readSaid(fetched, account))
        .catch((error) => unanswered(error, account));
    },
    async leave(account, site, siteId, signal) {
      try {
        const sent = { method: 'DELETE', path: 'hub-unsync', body: JSON.stringify(site), signal } as const;
        const fetched = await ask(account, siteId, sent);
        fetched.close();
        return fetched.status < 300;
      } catch (error) {
        if (signal?.aborted || error instanceof Upstream || error instanceof Problem) return false;
        throw error;
      }
    },
  };
}

/** By the moment and the very bytes of the body. */
const signed = (body: string, key: string, timestamp: number) => ({
  'X-Hub-Timestamp': String(timestamp),
  'X-Hub-Signature': `sha256=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`,
});

async function readSaid(fetched: Fetched, account: Account): Promise<Said> {
  const { key } = account;
  const text = await fetched.text();
  if (fetched.status === 401 && isOfHub(text)) return { kind: 'refused', what: 'key' };
  if (fetched.status !== 200) throw refusalIn(text, fetched.status, account);
  const { membership, hub_site_id } = parseJsonObject(text) ?? {};
  if (membership === '') return { kind: 'refused', what: 'site' };
  if (!isMembership(membership) || membership.includes(key)) throw senseless();
  return { kind: 'taken', membership, hub_site_id: idOf(hub_site_id) };
}

function unanswered(error: unknown, { url }: Account): Said {
  if (error instanceof Problem && whyOf(error) === unasked) throw notAsked(url);
  if (!(error instanceof Upstream)) throw error;
  if (error.status === 200) throw senseless(error);
  if (isElsewhere(error.status, url)) throw answeredWith(error.status, url, error);
  return refusing('api_error')(error);
}

const senseless = (cause?: Error): Problem => hubConnectorErrors.invalidApiResponse().because(cause);

/** The hub's own reason, where it gives one; a key that it says back goes no further. */
function refusalIn(text: string, status: number, { url, key }: Account): Problem {
  const { code, message } = parseJsonObject(text) ?? {};
  if (typeof code !== 'string' || !/^[a-z0-9_-]{1,64}$/i.test(code) || code.includes(key))
    return answeredWith(status, url);
  const said = typeof message === 'string' ? sentenceIn(message, key) : '';
  return problemFrom(502, { code, message: said || 'The hub refused the report.' });
}

/**
 * A key that is given up is gone, so only a hub can say that it is none: a proxy that wants a password of its own answers with a page, and
 * a site that is no hub says of every key what it says of wrong passwords.
 */
function isOfHub(text: string): boolean {
  const said = parseJsonObject(text);
  return said !== undefined && said.code !== 'incorrect_password';
}

/** Pages of the same machine that are no hub answer so. */
const isElsewhere = (status: number | undefined, url: string): status is 404 | 405 =>
  (status === 404 || status === 405) && !url.endsWith('/hub/v1');

function answeredWith(status: number, url: string, cause?: Error): Problem {
  const hint = isElsewhere(status, url)
    ? ' The URL of a hub ends in /api/hub/v1, as "gatehouse hub add" prints it.'
    : '';
  return hubConnectorErrors.apiError(status, hint).because(cause);
}

const longestMessage = 300;

const sentenceIn = (message: string, key: string): string =>
  printable(readText(message).replaceAll(key, '…').trim().slice(0, longestMessage)).toWellFormed();

const longestMembership = 64;

const isMembership = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longestMembership && !steers(value);

const idOf = (value: unknown): number => {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : 0;
};
