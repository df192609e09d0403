// What every page has in common: its frame, and the headers that keep it to itself.
import type { PageAnswer } from '#kernel/http/page.ts';
import { type Html, html } from '#lib/html.ts';
import { style, styleHash } from './style.ts';

/** What the site is called, and in which language its own words are. */
interface Name {
  readonly title: string;
  readonly language: string;
}

/** The site as its pages know it. */
export interface Grounds {
  readonly name: Name;
  /** The public address of a path of the site, without its host. */
  at(path: string): string;
}

interface Sheet {
  readonly title: string;
  readonly body: Html;
  readonly status?: number | undefined;
  /** Room for lists. */
  readonly wide?: boolean | undefined;
  /** Further lines of the head. */
  readonly head?: Html | undefined;
  /** Where forms may lead besides this site: schemes with their colon. Browsers ask this of redirects after a form too. */
  readonly formsTo?: readonly string[] | undefined;
  /** What it loads besides its style: sources, by directive. */
  readonly sources?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly headers?: PageAnswer['headers'] | undefined;
}

const type = 'text/html; charset=UTF-8';

const policy = (formsTo: readonly string[], { 'style-src': styles = [], ...sources }: NonNullable<Sheet['sources']>) =>
  [
    "default-src 'none'",
    `style-src ${[styleHash, ...styles].join(' ')}`,
    ...Object.entries(sources).map(([directive, from]) => `${directive} ${from.join(' ')}`),
    "base-uri 'none'",
    `form-action ${["'self'", ...new Set(formsTo)].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');

export const unshared = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The words of these pages are English, whatever the language of the site. */
const language = 'en';

export function page({ name, at }: Grounds, sheet: Sheet): PageAnswer {
  const { title, body, status = 200, wide = false, head, formsTo = [], sources = {}, headers } = sheet;
  const width = wide && html` class="wide"`;
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === name.title ? title : `${title} · ${name.title}`}</title>
${head}<style>${style}</style>
</head>
<body>
<header${width}><a href="${at('/')}" lang="${name.language}">${name.title}</a></header>
<main${width}>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  const own = { ...unshared, 'Content-Security-Policy': policy(formsTo, sources) };
  return { status, type, headers: { ...own, ...headers }, body: String(document) };
}

/** `to`: a path of this site, or an address that was looked at. */
export const redirect = (to: string, { status = 302, headers = {} }: Redirection = {}): PageAnswer => ({
  status,
  type,
  headers: { ...unshared, ...headers, Location: to },
  body: '',
});

interface Redirection {
  /** 303 after a form: the next page is only looked at. */
  readonly status?: 302 | 303;
  readonly headers?: PageAnswer['headers'];
}

export const plainText = (status: number, body: string): PageAnswer => ({
  status,
  type: 'text/plain; charset=UTF-8',
  headers: unshared,
  body,
});

// A moment on pages about the site: in the time zone and the language of the site, whose words may differ from those around it.

/** `dateStyle`: how long the day is written. */
export function moment(
  { zone, name: { language } }: Pick<Grounds, 'name'> & { readonly zone: string },
  instant: string,
  dateStyle: 'long' | 'medium' = 'long',
): Html {
  const options = { dateStyle, timeStyle: 'short', timeZone: zone === '' ? 'UTC' : zone } as const;
  // What follows the region, such as `formal`, changes no date, and not all of it is known to browsers and runtimes.
  const locale = language.split('-').slice(0, 2).join('-');
  const words = new Intl.DateTimeFormat([locale, 'en-US'], options).format(new Date(instant));
  return html`<time datetime="${instant}" lang="${language}">${words}${zone === '' && ' UTC'}</time>`;
}
