// What an operator has to set if all visitors share the IP address of a proxy.
import { trusting } from '#kernel/http/client.ts';
import { isLoopback, loopbackProxies } from '#lib/ip-address.ts';

export const proxyFaultKinds = ['nameless', 'untrusted', 'rewritten'] as const;

export type ProxyFaultKind = (typeof proxyFaultKinds)[number];

/**
 * `nameless`: the proxy sends no `X-Forwarded-For`. `untrusted`: it does, and is not trusted. `rewritten`: it asks for this machine
 * instead of the host name of the site.
 */
export interface ProxyFault {
  readonly kind: ProxyFaultKind;
  /** The IP address that all visitors share. */
  readonly address: string;
}

/** What to set, and what to write where. */
export interface ProxyAdvice {
  readonly problem: string;
  readonly remedy: string;
  /** The line for each proxy, by its name. */
  readonly lines: Readonly<Record<string, string>>;
}

/** What makes a proxy pass on the host name and the IP address of the client. */
export const proxyLines = {
  Caddy: 'reverse_proxy 127.0.0.1:8080',
  nginx: 'proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr;',
  Traefik: 'passHostHeader: true',
  Apache: 'ProxyPreserveHost On',
  HAProxy: 'option forwardfor',
} as const;

interface AdviceContext {
  /** The public address of the site. */
  readonly url: string;
  /** The list of trusted proxies. */
  readonly trusted: readonly string[];
}

export function adviceOn({ kind, address }: ProxyFault, { url, trusted }: AdviceContext): ProxyAdvice {
  const setting = `GATEHOUSE_TRUST_PROXY=${[...trusted, isLoopback(address) ? loopbackProxies : address].join(',')}`;
  const shared =
    'so all visitors share one IP address: wrong passwords of one visitor stop all others from signing in.';
  const trust = `If ${address} is your proxy, set ${setting} and restart Gatehouse.`;
  const change = 'Add the line for your proxy to its configuration, reload the proxy and restart Gatehouse.';
  switch (kind) {
    case 'nameless': {
      const problem = `Requests from ${address} do not name the visitor in X-Forwarded-For, ${shared}`;
      const remedy = trusting(trusted)(address) ? change : `${change} ${trust}`;
      return { problem, remedy, lines: proxyLines };
    }
    case 'untrusted': {
      const problem = `Requests from ${address} have the header X-Forwarded-For, but ${address} is not a trusted proxy, ${shared}`;
      return { problem, remedy: trust, lines: {} };
    }
    case 'rewritten': {
      const problem = `A proxy on this machine sends the host localhost instead of ${new URL(url).host}, ${shared}`;
      return { problem, remedy: change, lines: proxyLines };
    }
  }
}

/** For `/readyz`, which the doctor reads. */
export const adviceLines = ({ problem, remedy, lines }: ProxyAdvice): string[] => [
  `Warning: ${problem}`,
  `Remedy: ${remedy}`,
  ...Object.entries(lines).map(([name, line]) => `${name}: ${line}`),
];

/** What to do as one text. */
export const remedyText = ({ remedy, lines }: Pick<ProxyAdvice, 'remedy' | 'lines'>): string =>
  [remedy, ...Object.entries(lines).map(([name, line]) => `${name}: \`${line}\``)].join(' ');

/** What `adviceLines` wrote; undefined if there is no warning. */
export function adviceIn(text: string): ProxyAdvice | undefined {
  const [, problem, remedy] = /^Warning: (.+)\nRemedy: (.+)$/m.exec(text) ?? [];
  if (problem === undefined || remedy === undefined) return undefined;
  const known = Object.keys(proxyLines).flatMap((name) => {
    const line = new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1];
    return line === undefined ? [] : [[name, line]];
  });
  return { problem, remedy, lines: Object.fromEntries(known) };
}
