// The address by which the world reaches the site.
import { isLoopback } from '#lib/loopback.ts';
import { day } from '#lib/spans.ts';
import { Upstream } from '../outgoing/outgoing.ts';
import type { OwnSite } from '../outgoing/own-site.ts';
import type { Clock } from '../platform/clock.ts';
import { note, ok, type Seen, warning, wrong } from './check.ts';
import type { Installation } from './installation.ts';

const setting = 'GATEHOUSE_URL';
const atHome = ['localhost', '127.0.0.1', '::1'];

export function publicAddress({ url, host, trustProxy }: Installation): Seen {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    const remedy = `Serve it through https and set ${setting}.`;
    return warning(`${url} is not https, so passwords can be read on the way`, remedy);
  }
  if (isLoopback(hostname) && !atHome.includes(host)) {
    return warning(`${url} only means something on this machine, but ${host} is open to others`, `Set ${setting}.`);
  }
  if (protocol === 'https:' && trustProxy.length === 0) {
    const remedy = "Set GATEHOUSE_TRUST_PROXY to the proxy's address.";
    return warning(`${url} comes through a proxy that is not trusted, so every client looks like it`, remedy);
  }
  return ok(url);
}

const shortly = 14;

/** Whether what is sent to and fro can be read on the way, and for how long it cannot. */
export async function https({ url }: Installation, own: Pick<OwnSite, 'certificate'>, clock: Clock): Promise<Seen> {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'http:' && isLoopback(hostname)) {
    return note(`${url} is on this machine, and not https`, `Serve it through https and set ${setting} to go public.`);
  }
  if (protocol === 'http:')
    return warning(`${url} is not https`, `Serve it through https and set ${setting} to its https address.`);
  try {
    const until = await own.certificate();
    return lasting(until, host, clock);
  } catch (error) {
    if (!(error instanceof Upstream)) throw error;
    const remedy = 'Look from elsewhere, or let this machine reach the public address.';
    return warning(`the certificate of ${host} could not be looked at from here`, remedy);
  }
}

function lasting(until: Date | undefined, host: string, clock: Clock): Seen {
  if (until === undefined) return wrong(`browsers do not take the certificate of ${host}`, 'Get another one.');
  const days = Math.floor((until.getTime() - clock().getTime()) / day);
  if (days < 0) return wrong(`the certificate of ${host} is out of date`, 'Renew it.');
  if (days < shortly) {
    const left = days === 1 ? 'one day' : `${days} days`;
    return warning(`the certificate of ${host} ends in ${left}`, 'Renew it, or see why it is not renewed by itself.');
  }
  return ok(`the certificate of ${host} is good for ${days} days`);
}
