// Whether the site can only be reached through a proxy, and no proxy is trusted to name its visitors.
import { isLoopback } from '#lib/loopback.ts';
import { type Config, envOf } from '../config.ts';

/** Gatehouse itself does not speak HTTPS, and nobody else reaches a loopback address. */
export function unnamedProxyIn({ url, host, trustProxy }: Config, believesHeaders: boolean): string | undefined {
  const { protocol, hostname } = new URL(url);
  const isProxied = !isLoopback(hostname) && (protocol === 'https:' || isLoopback(host));
  if (!isProxied || trustProxy.length > 0 || believesHeaders) return undefined;
  return `no proxy is trusted, so all visitors may share one IP address (set ${envOf('trustProxy')} to the IP address of your proxy)`;
}
