// Requests of this machine to itself.

/** Whether a host name, as a URL spells it, means this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(?:\.\d{1,3}){3}$/.test(hostname);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Headers by which proxies say that they hand a request on. */
const proxyHeaders = [
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'],
  ...['cf-connecting-ip', 'x-client-ip', 'client-ip', 'x-cluster-client-ip'],
];

/**
 * Whether a request was meant for this machine, and is not one that a proxy on this machine passes on. A proxy that adds no header of
 * its own still asks for the public host name, so `Host` has to be loopback as well.
 */
export const isLocalRequest = (headers: Headers): boolean =>
  isForLoopback(headers) && proxyHeaders.every((name) => headers[name] === undefined);

/** Whether a request asks for this machine by a loopback name. */
export function isForLoopback({ host }: Headers): boolean {
  const header = String(host ?? '');
  if (last.header !== header) last = { header, isLoopback: isLoopback(hostnameOf(header.toLowerCase())) };
  return last.isLoopback;
}

/** The last answer is kept, because nearly every request asks for the same host. */
let last = { header: '', isLoopback: false };

const hostnameOf = (header: string): string => header.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
