// The interface of a site somebody moves in from, asked through the guard.
import type { Problem } from '#kernel/problem.ts';
import { isLoopback } from '#lib/ip-address.ts';
import { answeredBy, type Outgoing, Upstream } from '../../../outgoing/outgoing.ts';
import { transferErrors } from '../../errors.ts';

export interface Asking {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly pace: Pace;
  readonly signal?: AbortSignal;
}

export interface Credential {
  readonly login: string;
  readonly password: string;
}

/** Where an interface is, and what it calls itself. */
export interface Interface {
  /** The address of its index. */
  readonly root: URL;
  /** `wp/v2` or `core/v2`. */
  readonly namespace: string;
  /** The public address of the site, without a slash at its end. */
  readonly home: string;
}

export type Args = Readonly<Record<string, string | number>>;

export interface Answered {
  readonly body: unknown;
  /** Of all that there is, where it says so. */
  readonly total: number | undefined;
  readonly pages: number | undefined;
}

export interface Source {
  readonly isKnown: boolean;
  /** Throws an `Upstream` for an error, and a `Problem` for what is not JSON. Beyond the last page there is an empty one. */
  get(route: string, args: Args): Promise<Answered>;
}

/** Bytes of an answer, and how long one may take, in ms. */
export const bounds = { most: 8 * 2 ** 20, within: 60_000 };

export const jsonTypes: readonly string[] = ['application/json'];

export function createSource({ root, namespace }: Interface, asking: Asking, credential?: Credential): Source {
  const { outgoing, pace, signal } = asking;
  const headers: Record<string, string> = credential === undefined ? {} : { authorization: basic(credential) };
  const purpose = { name: 'moving', types: jsonTypes, errors: [400], ...bounds, withinHost: true, headers } as const;
  return {
    isKnown: credential !== undefined,
    get: (route, args) =>
      patiently(async () => {
        const url = addressOf(root, `${namespace}/${route}`, args);
        const fetched = await outgoing.fetch(url, { ...purpose, ...(signal && { signal }) });
        const body = read(await fetched.text(), placeOf(route, args));
        if (fetched.status === 400) return beyond(body);
        const said = (name: string) => countIn(fetched.headers.get(name));
        return { body, total: said('x-wp-total'), pages: said('x-wp-totalpages') };
      }, pace),
  };
}

/** Only what says so is the end: there are others on the way who refuse. */
function beyond(body: unknown): Answered {
  const code = String((body as { readonly code?: unknown } | null)?.code);
  if (!/^rest_\w{1,40}_invalid_page_number$/.test(code)) throw answeredBy(400);
  return { body: [], total: undefined, pages: undefined };
}

const basic = ({ login, password }: Credential): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

/** Whether nobody on the way can read what is told there, or the way is the operator's own. */
export const isSafe = ({ protocol, host, hostname }: URL, allowHosts: readonly string[]): boolean =>
  protocol === 'https:' || isLoopback(hostname) || allowHosts.some((one) => new URL(`http://${one}`).host === host);

/** Of what lies below an index, which may be named by an argument of the front page. */
export function addressOf(root: URL, path: string, args: Args): string {
  const url = new URL(root);
  const named = url.searchParams.get('rest_route');
  if (named === null) url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  else url.searchParams.set('rest_route', `${named.replace(/\/$/, '')}/${path}`);
  for (const [name, value] of Object.entries(args)) url.searchParams.set(name, String(value));
  return url.href;
}

/** For whoever looks for what went wrong: `posts?page=3`. */
export const placeOf = (route: string, { page, per_page, include }: Args): string => {
  if (include !== undefined) return `${route}?include=${include}`;
  if (page === undefined) return route;
  return `${route}?per_page=${per_page}&page=${page}`;
};

export function read(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(`The answer to ${place} is not JSON.`);
  }
}

const countIn = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;

export const malformed = (message: string): Problem => transferErrors.malformed().saying(message);

/** Another site is asked as a polite guest asks: one thing at a time, again after a while when it cannot answer, and not for ever. */
export interface Pace {
  /** Lets so many milliseconds pass. */
  wait(milliseconds: number): Promise<void>;
  now(): Date;
}

const most = { tries: 6, seconds: 300 };
const passing = [408, 425, 429, 500, 502, 503, 504];

/** Does the work again while what goes wrong may pass. */
export async function patiently<R>(work: () => Promise<R>, { wait, now }: Pace, atMost = most.tries): Promise<R> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const seconds = tries < atMost ? pauseAfter(error, tries, now()) : undefined;
      if (seconds === undefined) throw error;
      await wait(seconds * 1000);
    }
  }
}

/** In seconds; nothing where it is no use to ask again. */
function pauseAfter(error: unknown, tries: number, now: Date): number | undefined {
  if (!(error instanceof Upstream) || !mayPass(error)) return undefined;
  const asked = error.retryAfter === undefined ? undefined : secondsUntil(error.retryAfter, now);
  const seconds = asked ?? 2 ** (tries - 1);
  return seconds <= most.seconds ? seconds : undefined;
}

/** Whether the same question may be answered another time. */
export const mayPass = ({ fault, status = 0 }: Upstream): boolean =>
  fault === 'status' ? passing.includes(status) : ['unreachable', 'late', 'broken'].includes(fault);

function secondsUntil(text: string, now: Date): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const seconds = Math.ceil((Date.parse(text) - now.getTime()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
