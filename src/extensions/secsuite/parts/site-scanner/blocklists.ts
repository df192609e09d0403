// Lists of dangerous sites on which this site may stand: one in a file, and a service that the operator names.
import { join } from 'node:path';
import { readJson } from '#kernel/args/json.ts';
import type { Operator } from '#lib/operator.ts';
import { second } from '#lib/spans.ts';
import type { Outgoing } from '#site/outgoing/outgoing.ts';
import { readText } from '../../disk/reading.ts';

export interface Listing {
  readonly vendor: { readonly slug: string; readonly label: string };
  readonly isListed: boolean;
  /** Where the vendor says more. */
  readonly report: string | undefined;
}

interface BlocklistDeps {
  readonly operator: Pick<Operator, 'security' | 'data'>;
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** The URL of the site. */
  readonly url: string;
}

const longestList = 16 * 1024 * 1024;

export function createBlocklists({ operator, outgoing, url }: BlocklistDeps) {
  const host = new URL(url).hostname.toLowerCase();
  const { reputationUrl, reputationKey } = operator.security;
  return {
    async localList(): Promise<Listing> {
      const own = await readText(join(operator.data, 'site-blocklist.txt'), longestList);
      const isListed = isOn(domainsIn(`${bundledList}${own ?? ''}`), host);
      return { vendor: { slug: 'local-list', label: 'The list of this server' }, isListed, report: undefined };
    },
    hasProvider: reputationUrl !== undefined,
    /** Throws if the service does not say. */
    async provider(signal: AbortSignal): Promise<Listing> {
      const base = reputationUrl!;
      const answer = await outgoing.fetch(base, {
        name: 'secsuite-reputation',
        method: 'POST',
        types: ['application/json'],
        most: 65_536,
        within: 10 * second,
        withinHost: true,
        signal,
        headers: {
          'Content-Type': 'application/json',
          ...(reputationKey !== undefined && { Authorization: `Bearer ${reputationKey}` }),
        },
        body: JSON.stringify({ url, host }),
      });
      const { listed, report } = Object(readJson(await answer.bytes())) as Record<string, unknown>;
      if (typeof listed !== 'boolean') throw new Error('The service does not say whether the site is listed.');
      const label = new URL(base).hostname;
      const isLink = typeof report === 'string' && /^https?:\/\//.test(report) && URL.canParse(report);
      return {
        vendor: { slug: label.replaceAll(/[^\w-]+/g, '-'), label },
        isListed: listed,
        report: isLink ? report.slice(0, 1_000) : undefined,
      };
    },
  };
}

/** One domain a line; it stands for the hosts below it, too. */
const domainsIn = (list: string): Set<string> =>
  new Set(
    list
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim().toLowerCase())
      .filter((line) => line !== ''),
  );

function isOn(domains: ReadonlySet<string>, host: string): boolean {
  const labels = host.split('.');
  return labels.some((_, at) => domains.has(labels.slice(at).join('.')));
}

/** Domains that were made to try such lists. */
const bundledList = 'testsafebrowsing.appspot.com\nmalware.wicar.org\n';
