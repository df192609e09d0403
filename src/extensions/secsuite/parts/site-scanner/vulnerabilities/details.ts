// What is shown of an advisory.
import { fixedIn, rangeText } from './advisory.ts';
import type { Match } from './feed.ts';

/** What an advisory says, as it is shown. */
export interface Details {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly type: { readonly slug: string; readonly label: string };
  readonly fixed_in: string | null;
  readonly affected_in: string;
  readonly score: number | null;
  readonly is_exploited: boolean;
  readonly published_at: string | null;
  readonly references: readonly Reference[];
}

interface Reference {
  readonly slug: string;
  readonly label: string;
  readonly refs: readonly { readonly value: string; readonly link: string }[];
}

const kindsOfWeakness: readonly (readonly [slug: string, label: string, cwes: readonly number[]])[] = [
  ['xss', 'Cross-site scripting', [79, 80, 83]],
  ['sql-injection', 'SQL injection', [89]],
  ['csrf', 'Cross-site request forgery', [352]],
  ['path-traversal', 'Path traversal', [22, 23, 36]],
  ['denial-of-service', 'Denial of service', [400, 770, 1333, 754, 835]],
  ['code-execution', 'Code execution', [74, 77, 78, 94, 95, 502, 787, 119]],
  ['broken-access-control', 'Broken access control', [284, 285, 287, 639, 862, 863]],
  ['ssrf', 'Server-side request forgery', [918]],
  ['information-exposure', 'Exposure of information', [200, 209, 532]],
  ['open-redirect', 'Open redirect', [601]],
  ['prototype-pollution', 'Prototype pollution', [1321]],
];

function typeOf(cwes: readonly string[]): Details['type'] {
  const numbers = new Set(cwes.map((one) => Number(/\d+/.exec(one)?.[0])));
  const [slug, label] = kindsOfWeakness.find(([, , all]) => all.some((one) => numbers.has(one))) ?? ['other', 'Other'];
  return { slug, label };
}

const databases: readonly (readonly [slug: string, label: string, ids: RegExp, page: string])[] = [
  ['cve', 'CVE', /^CVE-/, 'https://nvd.nist.gov/vuln/detail/'],
  ['ghsa', 'GitHub', /^GHSA-/, 'https://github.com/advisories/'],
];

export function detailsOf({ software, advisory, affected }: Match): Details {
  const ids = [advisory.id, ...advisory.aliases];
  const pages = databases.flatMap(([slug, label, pattern, page]): Reference[] => {
    const refs = ids.filter((id) => pattern.test(id)).map((value) => ({ value, link: `${page}${value}` }));
    return refs.length === 0 ? [] : [{ slug, label, refs }];
  });
  const web = advisory.links.map((link) => ({ value: new URL(link).hostname, link }));
  return {
    id: advisory.id,
    title: advisory.summary,
    description: advisory.details,
    type: typeOf(advisory.cwes),
    fixed_in: fixedIn(software.version, affected),
    affected_in: rangeText(affected),
    score: advisory.score,
    is_exploited: advisory.isExploited,
    published_at: advisory.published,
    references: [...pages, ...(web.length === 0 ? [] : [{ slug: 'web', label: 'Web', refs: web }])],
  };
}
