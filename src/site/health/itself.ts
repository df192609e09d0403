// What the site finds when it asks itself, as its visitors do.
import { Problem } from '#kernel/problem.ts';
import { type Fetched, Upstream } from '../outgoing/outgoing.ts';
import type { OwnSite } from '../outgoing/own-site.ts';
import type { Clock } from '../platform/clock.ts';
import { ok, type Seen, warning, wrong } from './check.ts';

/** The public addresses of the index of the interface and of the front page. */
export interface Addresses {
  readonly index: string;
  readonly front: string;
}

type Own = Pick<OwnSite, 'fetch'>;

const patience = 10_000;
const most = 16 * 1024 * 1024;

export async function loopback(own: Own, { index }: Addresses): Promise<Seen> {
  try {
    const fetched = await own.fetch(index, { name: 'loopback', types: ['*'], most, within: patience });
    fetched.close();
    if (fetched.status === 200 && fetched.url === index) return ok(`${index} answers`);
    return warning(`${index} leads elsewhere`, 'Let the proxy hand requests on as they are.');
  } catch (error) {
    return unanswered(error, index);
  }
}

function unanswered(error: unknown, address: string): Seen {
  if (error instanceof Upstream && error.status !== undefined)
    return warning(`${address} answers with the status ${error.status}`, 'See what stands before the site.');
  if (error instanceof Upstream || (error instanceof Problem && error.code === 'unsafe_url'))
    return wrong(`${address} does not answer`, 'See whether this machine can reach the public address, and its name.');
  throw error;
}

const tries = 3;
const quick = 600;

/** Three times, one after the other: whether it is quick, and whether browsers and proxies may keep it. */
export async function pageCache(own: Own, { front }: Addresses, clock: Clock): Promise<Seen> {
  try {
    const times: number[] = [];
    let isKept = false;
    for (let each = 0; each < tries; each += 1) {
      const began = clock().getTime();
      const fetched = await own.fetch(front, { name: 'loopback', types: ['*'], most, within: patience });
      await fetched.bytes();
      times.push(clock().getTime() - began);
      isKept ||= mayBeKept(fetched);
    }
    return judged(Math.round(times.toSorted((a, b) => a - b)[1] ?? 0), isKept);
  } catch (error) {
    return unanswered(error, front);
  }
}

const marks = ['etag', 'last-modified', 'age', 'x-cache', 'cf-cache-status'];

const mayBeKept = ({ headers }: Fetched): boolean =>
  !(headers.get('cache-control') ?? '').includes('no-store') && marks.some((name) => headers.has(name));

function judged(median: number, isKept: boolean): Seen {
  const finding = `the front page takes ${median} ms, and ${isKept ? 'may' : 'may not'} be kept by browsers`;
  const isQuick = median <= quick;
  if (isQuick && isKept) return ok(finding);
  const remedy = isQuick
    ? 'See whether the proxy takes its headers away.'
    : 'See how busy this machine and its database are.';
  return isQuick || isKept ? warning(finding, remedy) : wrong(finding, remedy);
}
