// What every page of the public site has around what it shows: its head for programs, its way through the site, its foot.

import { apiUrl } from '#kernel/faces.ts';
import type { PageAnswer } from '#kernel/http/page.ts';
import { type Html, html, markup } from '#lib/html.ts';
import { pictureHtml, type Shown, shownPictures } from '../../content/rendering/dynamic/pictures.ts';
import { sheetOf } from '../besides.ts';
import { accountPath, interfaceLink } from '../door.ts';
import { signInPath } from '../sign-in.ts';
import { spelled } from './asked.ts';
import { look, policyOf } from './look.ts';
import { navigation } from './navigation.ts';
import { type Ground, ours } from './needs.ts';

/** What one page shows, and what is to be known of it. */
export interface Leaf {
  readonly title: string;
  readonly body: Html;
  readonly status?: number | undefined;
  /** The one address it has; nothing where it should not be found again. */
  readonly address?: string | undefined;
  /** As it was asked for: what was asked for otherwise is not kept. */
  readonly url?: string | undefined;
  /** In a line. */
  readonly description?: string | undefined;
  readonly kind?: 'article' | 'website' | undefined;
  readonly picture?: string | undefined;
  /** Of its own, besides those of the site. */
  readonly feed?: { readonly title: string; readonly url: string } | undefined;
  readonly head?: Html | undefined;
  /** For programs, as `Link` headers have them. */
  readonly links?: readonly string[] | undefined;
  /** Not everybody gets the same. */
  readonly isPersonal?: boolean | undefined;
  /** Search engines leave it out. */
  readonly isUnlisted?: boolean | undefined;
  /** It holds the form to search with. */
  readonly isSearch?: boolean | undefined;
}

export const type = 'text/html; charset=UTF-8';

const always = {
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
};

export async function leaf(ground: Ground, shown: Leaf): Promise<PageAnswer> {
  const { house, guest, content } = ground;
  const { status = 200, links = [], isPersonal = false, isUnlisted = false } = shown;
  const [ways, icon, logo] = await Promise.all([navigation(ground, shown.address), iconOf(ground), logoOf(ground)]);
  const body = String(shown.body);
  const besides = sheetOf(house.identity.checks.everywhere());
  const scripts = content.rendering.scripts.filter((one) => body.includes(one));
  const files = content.rendering.scriptFiles.filter((one) => body.includes(one));
  const isOwn = isPersonal || guest !== undefined;
  return {
    status,
    type,
    body: String(document(ground, shown, { ways, icon, logo, besides: besides.head })),
    anybodys: !isOwn && status === 200 && isAsked(ground, shown),
    headers: {
      ...always,
      'Content-Security-Policy': policyOf({ scripts, files, sources: besides.sources }),
      'Cache-Control': isOwn ? 'no-store' : 'no-cache',
      Link: [interfaceLink(house).Link, ...links],
      ...((isUnlisted || status !== 200) && { 'X-Robots-Tag': 'noindex' }),
    },
  };
}

/** Whether it was asked for by its own address, to the letter. */
const isAsked = ({ url: home }: Ground, { address, url }: Leaf): boolean =>
  address !== undefined && url !== undefined && address === `${home}${url}`;

/** Of what a redirect leads to: an address of this site. */
export const leadTo = (address: string, status: 301 | 302 = 301): PageAnswer => ({
  status,
  type,
  body: '',
  headers: { ...always, Location: address, 'Cache-Control': 'no-cache' },
});

/** Whether somebody asked for this address, however they spelled its escapes. */
export const isSpelled = ({ url: home }: Pick<Ground, 'url'>, address: string, url: string): boolean =>
  spelled(address) === `${home}${spelled(url)}`;

async function iconOf({ set, content: { media } }: Ground): Promise<string | undefined> {
  if (set.site_icon === 0) return undefined;
  const file = (await media.files([set.site_icon])).get(set.site_icon)?.file;
  return file && media.urlOf(file);
}

/** Small enough for the head of a page, where it is kept so. */
async function logoOf({ set: { site_logo }, store, content: { media } }: Ground): Promise<Shown | undefined> {
  if (site_logo === null) return undefined;
  const found = (await shownPictures({ store, media }, [site_logo], 'medium')).get(site_logo);
  return found && { ...found, srcset: undefined, sizes: undefined };
}

/** The name says what a logo without a description of its own shows; nobody has it read twice. */
function nameOf({ house, title: name }: Ground, logo: Shown | undefined): Html {
  const front = house.at('/');
  if (logo === undefined) return html`<a class="name" href="${front}">${name}</a>`;
  const { alt } = logo;
  const picture = markup(pictureHtml({ ...logo, alt: alt || name }, 'logo'));
  return html`<a class="name" href="${front}">${picture}<span${alt === '' && html` aria-hidden="true"`}>${name}</span></a>`;
}

interface Around {
  readonly ways: Html | undefined;
  readonly icon: string | undefined;
  readonly logo: Shown | undefined;
  /** Of the head, what is loaded besides. */
  readonly besides: Html;
}

const fromRight = new Set(['ar', 'dv', 'fa', 'he', 'ks', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi']);

function document(ground: Ground, shown: Leaf, { ways, icon, logo, besides }: Around): Html {
  const { house, guest, title: name } = ground;
  const { language } = house.name;
  const here = shown.title === name ? name : `${shown.title} · ${name}`;
  return html`<!doctype html>
<html lang="${language}"${fromRight.has(language.split('-')[0]!) && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${here}</title>
${head(ground, shown)}${icon && html`<link rel="icon" href="${icon}">\n`}${besides}<style>${look}</style>
</head>
<body>
<a class="skip" href="#content"${ours(ground)}>Go to the content</a>
<header class="top"><div class="band">
${nameOf(ground, logo)}
${house.description !== '' && html`<p class="line">${house.description}</p>\n`}${ways}</div></header>
<main class="band" id="content" tabindex="-1">
${shown.body}
</main>
<footer class="foot"${ours(ground)}><div class="band">
${shown.isSearch !== true && searchForm(ground)}
<div class="row"><a href="${house.at('/feed/')}">Feed</a>${
    guest === undefined
      ? house.entrance.hidden === undefined && html`<a href="${house.at(signInPath)}">Sign in</a>`
      : html`<a href="${house.at(accountPath)}">Your account (<bdi>${guest.user.name}</bdi>)</a>`
  }</div>
</div></footer>
</body>
</html>
`;
}

function head(ground: Ground, shown: Leaf): Html {
  const { url: home, roots, face, title: name } = ground;
  const { address, title, description, kind = 'website', picture, feed } = shown;
  return html`<link rel="https://api.w.org/" href="${apiUrl(roots, face, '/')}">
<link rel="alternate" type="application/rss+xml" title="${name}" href="${home}/feed/">
<link rel="alternate" type="application/rss+xml" title="${name}: comments" href="${home}/comments/feed/">
${feed && html`<link rel="alternate" type="application/rss+xml" title="${feed.title}" href="${feed.url}">\n`}${
  address !== undefined &&
  html`<link rel="canonical" href="${address}">\n<meta property="og:url" content="${address}">\n`
}<meta property="og:site_name" content="${name}">
<meta property="og:title" content="${title}">
<meta property="og:type" content="${kind}">
${
  description !== undefined &&
  description !== '' &&
  html`<meta name="description" content="${description}">\n<meta property="og:description" content="${description}">\n`
}${picture !== undefined && html`<meta property="og:image" content="${picture}">\n`}${shown.head}`;
}

export const searchForm = ({ house }: Ground, typed = '', id = 'search'): Html =>
  html`<form class="ask" role="search" method="get" action="${house.at('/')}">
<div><label for="${id}">Search this site</label>
<input id="${id}" name="s" type="search" value="${typed}" maxlength="200"></div>
<button>Search</button>
</form>`;
