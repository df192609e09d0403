// Whether a request that came from this machine was meant for it, or only handed on by a proxy that runs on it.
import { isLoopback } from './loopback.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Headers by which proxies say that they hand a request on. */
const proxyHeaders = [
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'],
  ...['cf-connecting-ip', 'x-client-ip', 'client-ip', 'x-cluster-client-ip'],
];

/** A proxy that adds no header of its own still asks for the public host name, so `Host` has to be loopback as well. */
export const isLocalRequest = (headers: Headers): boolean =>
  isForLoopback(headers) && proxyHeaders.every((name) => headers[name] === undefined);

/** Whether a request asks for this machine by a loopback name. */
export function isForLoopback({ host }: Headers): boolean {
  const header = String(host ?? '');
  if (last.header !== header) last = { header, isLoopback: isLoopback(hostnameOf(header.toLowerCase())) };
  return last.isLoopback;
}

/** Nearly every request asks for the same host, and each one is looked at. */
let last = { header: '', isLoopback: false };

const hostnameOf = (header: string): string => header.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
