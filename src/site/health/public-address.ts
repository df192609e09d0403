// The address by which the world reaches the site, and what the site finds when it asks itself there.

import { Problem } from '#kernel/problem.ts';
import { isLoopback, namedProxies } from '#lib/ip-address.ts';
import { day } from '#lib/spans.ts';
import { type ProxyAdvice, remedyText } from '../identity/proxy-advice.ts';
import { type Fetched, Upstream } from '../outgoing/outgoing.ts';
import type { OwnSite } from '../outgoing/own-site.ts';
import type { Clock } from '../platform/clock.ts';
import { type Asked, note, ok, type Seen, warning, wrong } from './check.ts';
import type { Installation } from './installation.ts';

const setting = 'GATEHOUSE_URL';
const proxySetting = 'GATEHOUSE_TRUST_PROXY';
const atHome = ['localhost', '127.0.0.1', '::1'];

export function publicAddress({ url, host, trustProxy }: Installation): Seen {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    const remedy = `Serve the site through https and set ${setting}.`;
    return warning(`${url} is not https, so others on the network can read passwords`, remedy);
  }
  if (isLoopback(hostname) && !atHome.includes(host)) {
    return warning(`${url} works only on this machine, but ${host} accepts requests from others`, `Set ${setting}.`);
  }
  if (protocol === 'https:' && trustProxy.length === 0) {
    const remedy = `Unset ${proxySetting} if the proxy is on this machine, or set it to the IP address of the proxy.`;
    return warning(
      `${url} is served through a proxy, but no proxy is trusted, so all visitors share one IP address`,
      remedy,
    );
  }
  if (protocol === 'https:' && !isLoopback(host) && namedProxies(trustProxy).length === 0) {
    return note(
      `${url}; to trust a proxy on another machine or in another container, add its IP address to ${proxySetting}`,
    );
  }
  return ok(url);
}

const shortly = 14;

/** Whether what is sent to and fro can be read on the way, and for how long it cannot. */
export async function https({ url }: Installation, own: Pick<OwnSite, 'certificate'>, clock: Clock): Promise<Seen> {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'http:' && isLoopback(hostname)) {
    return note(
      `${url} is on this machine and not https`,
      `To publish the site, serve it through https and set ${setting}.`,
    );
  }
  if (protocol === 'http:')
    return warning(`${url} is not https`, `Serve the site through https and set ${setting} to its https URL.`);
  try {
    const until = await own.certificate();
    return lasting(until, host, clock);
  } catch (error) {
    if (!(error instanceof Upstream)) throw error;
    const remedy = 'Check from another machine, or let this machine reach the public URL.';
    return warning(`the certificate of ${host} could not be read from this machine`, remedy);
  }
}

function lasting(until: Date | undefined, host: string, clock: Clock): Seen {
  if (until === undefined)
    return wrong(`browsers refuse the certificate of ${host}`, 'Install a certificate that browsers trust.');
  const days = Math.floor((until.getTime() - clock().getTime()) / day);
  if (days < 0) return wrong(`the certificate of ${host} has expired`, 'Renew it.');
  if (days < shortly) {
    const left = days === 1 ? '1 day' : `${days} days`;
    return warning(
      `the certificate of ${host} expires in ${left}`,
      'Renew it, or find out why automatic renewal failed.',
    );
  }
  return ok(`the certificate of ${host} is valid for ${days} days`);
}

// The request for site health itself shows how proxies forward requests. Findings never show header values.

const expected = `Basic ${Buffer.from('user:pwd').toString('base64')}`;

/** What proxies say whom they stand for with. */
const forwarding = ['x-forwarded-for', 'forwarded'] as const;

/** Clients send `user:pwd`, beside the session of somebody, to see whether it arrives. */
export function authorization({ trustProxy }: Installation, { headers }: Asked): Seen {
  const { authorization: sent } = headers;
  const isBehind = namedProxies(trustProxy).length > 0 || forwarding.some((name) => headers[name] !== undefined);
  const trying =
    'To check, send a request with the user name “user” and the password “pwd” and the session of an administrator.';
  const remedy = isBehind ? `${trying} If you did, let the proxy pass on the header Authorization unchanged.` : trying;
  if (sent === undefined) return warning('this request had no such header, so apps may not be able to sign in', remedy);
  if (sent === expected) return ok('it arrives unchanged');
  return warning('this request had another value than the one for the check', remedy);
}

/** Whether the IP address of the request is the client's, or that of a proxy. */
export function proxy(
  { trustProxy }: Installation,
  advice: ProxyAdvice | undefined,
  { headers, address }: Asked,
): Seen {
  if (advice !== undefined) return warning(withoutFullStop(advice.problem), remedyText(advice));
  const name = forwarding.find((one) => headers[one] !== undefined);
  if (name === undefined) {
    if (namedProxies(trustProxy).length === 0) return ok('this request came without a proxy');
    return note('this request came without a proxy, or through a proxy that does not name the client');
  }
  const remedy = `Add the IP address of the proxy to ${proxySetting}, or let the proxy pass on the header Host.`;
  if (trustProxy.length === 0 || (name === 'x-forwarded-for' && !isAmong(headers[name] ?? '', address)))
    return warning(
      'this request came through a proxy that is not trusted, so all its visitors share one IP address',
      remedy,
    );
  return ok('the proxy is trusted, and names the client');
}

const withoutFullStop = (sentence: string): string => sentence.replace(/\.$/, '');

const isAmong = (list: string, address: string): boolean => list.split(',').some((one) => one.trim() === address);

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
    return warning(`${index} leads elsewhere`, 'Let the proxy pass on requests unchanged.');
  } catch (error) {
    return unanswered(error, index);
  }
}

function unanswered(error: unknown, address: string): Seen {
  if (error instanceof Upstream && error.status !== undefined)
    return warning(`${address} answers with the status ${error.status}`, 'Check the server in front of the site.');
  if (error instanceof Upstream || (error instanceof Problem && error.code === 'unsafe_url'))
    return wrong(
      `${address} does not answer`,
      'Check that this machine can look up the host of the public URL and reach it.',
    );
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
    ? 'Check whether the proxy removes headers.'
    : 'Check the load of this machine and of its database.';
  return isQuick || isKept ? warning(finding, remedy) : wrong(finding, remedy);
}
