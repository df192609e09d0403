import { kernelErrors } from '#kernel/errors.ts';
import { Problem } from '#kernel/problem.ts';
import { waitOutside } from '#kernel/request.ts';
import type { Log } from '#store/engine.ts';
import { type After, afterReally } from '../platform/clock.ts';
import { type Connect, connectReally, connectToOne } from './connect.ts';
import { type Deadline, deadlineOf } from './deadline.ts';
import { addressesOf, allowed, destination, hostOf, portOf } from './destination.ts';
import type { Answer } from './exchange.ts';
import { fetchedFrom } from './fetched.ts';
import { type Lookup, lookupReally } from './look-up.ts';
import type { Fetched, Outgoing, Purpose } from './outgoing.ts';
import { isNameless, Upstream } from './upstream.ts';

/** What the guard reaches the world by, and its clock. */
export interface World {
  readonly lookup: Lookup;
  readonly connect: Connect;
  readonly after: After;
}

export interface OutgoingOptions extends Partial<World> {
  /** `host:port`: what may be asked although it is not public, and at any port. */
  readonly allowHosts: readonly string[];
  /** Of Gatehouse, for the other side's log. */
  readonly version: string;
  readonly log: Pick<Log, 'info'>;
}

type Everything = OutgoingOptions & World;

const standardPatience = 10_000;
const usualRedirects = 3;
const mostAtOnce = 64;

export function createOutgoing(options: OutgoingOptions): Outgoing {
  const real: World = { lookup: lookupReally(options), connect: connectReally, after: afterReally };
  const world: Everything = { ...real, ...options, allowHosts: options.allowHosts.map(allowed) };
  let open = 0;
  const ended = () => {
    open -= 1;
  };
  const during = async <R>(url: string, purpose: Watched, work: (deadline: Deadline) => Promise<R>): Promise<R> => {
    if (open >= mostAtOnce)
      throw kernelErrors.tooBusy('The site has too many requests to other servers running already.');
    open += 1;
    const deadline = deadlineOf(purpose.within ?? standardPatience, { ...world, ended, asker: purpose.signal });
    try {
      return await waitOutside(() => work(deadline));
    } catch (error) {
      deadline.end();
      told(error, url, purpose, world.log);
      throw error;
    }
  };
  return {
    fetch: (url, purpose) => during(url, purpose, (deadline) => followed(url, purpose, deadline, world)),
    vet: (url, purpose) =>
      during(url, purpose, async (deadline) => {
        const to = destination(url, world.allowHosts);
        await deadline.before(addressesOf(to, world, deadline.signal));
        deadline.end();
      }),
  };
}

/** What is told of a purpose, and how long it may take. */
type Watched = Pick<Purpose, 'name' | 'within' | 'signal'>;

/** Asks, and asks again where the answer leads. */
async function followed(text: string, purpose: Purpose, deadline: Deadline, world: Everything): Promise<Fetched> {
  let url = destination(text, world.allowHosts);
  let own = purpose.headers;
  for (let redirects = 0; ; redirects += 1) {
    const headers = headersFor(own, world.version);
    const answer = await asked(url, { ...purpose, headers }, deadline, world);
    try {
      const next = redirection(answer, url, purpose, world.allowHosts);
      if (next === undefined) return fetchedFrom(url, answer, purpose, deadline);
      if (redirects === (purpose.redirects ?? usualRedirects))
        throw new Upstream('redirects', 'The other server redirects too many times.', answer.status);
      answer.close();
      // What was said to one is not for another, even when that one leads back.
      if (next.origin !== url.origin) own = undefined;
      url = next;
    } catch (error) {
      answer.close();
      throw error;
    }
  }
}

async function asked(url: URL, purpose: Purpose, deadline: Deadline, world: Everything): Promise<Answer> {
  const addresses = await deadline.before(addressesOf(url, world, deadline.signal));
  const spots = addresses.map((address) => ({
    address,
    port: portOf(url),
    secure: url.protocol === 'https:',
    name: hostOf(url),
  }));
  // Loaded before there is a connection that waits for it.
  const { exchange } = await deadline.before(import('./exchange.ts'));
  const socket = await connectToOne(spots, world, deadline.signal);
  return exchange(socket, url, purpose, deadline.signal);
}

const ours = /^(?:host|user-agent|accept-encoding|cookie|connection|te|expect|proxy-.*)$/i;

function headersFor(own: Purpose['headers'] = {}, version: string): Record<string, string> {
  const theirs = Object.entries(own).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(theirs), 'user-agent': `Gatehouse/${version}`, 'accept-encoding': 'identity' };
}

/** Where an answer leads, if it does. What changes something is done once, where it was asked for. */
function redirection({ status, headers }: Answer, from: URL, purpose: Purpose, allowHosts: readonly string[]) {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const to = headers.get('location');
  if (to === null || !/^(?:GET|HEAD)$/.test(purpose.method ?? 'GET')) {
    throw new Upstream('status', `The other server answered with a redirect (${status}).`, status);
  }
  const next = destination(Buffer.from(to, 'latin1').toString(), allowHosts, from);
  if (purpose.withinHost && next.host !== from.host)
    throw new Upstream('redirects', `The other server redirects to another host, ${next.host}.`, status);
  return next;
}

/** The host alone: what follows it may be a secret. */
function told(error: unknown, text: string, { name }: Watched, log: Everything['log']): void {
  const about = { purpose: name, host: URL.parse(text)?.host };
  if (error instanceof Upstream) log.info({ ...about, fault: error.fault }, 'A request to another server failed.');
  const why = isNameless(error) ? 'its name cannot be found' : 'its IP address is not public, or not usable';
  if (error instanceof Problem) log.info(about, `A request to another server was not sent: ${why}.`);
}
