// How the public site looks: one column of text, calm, readable on a telephone and on a desk, by day and by night.
import { html } from '#lib/html.ts';
import { colours, hashOf } from '../style.ts';

/** `.text` holds what authors wrote: nothing of it is painted outside, so that no style covers the page around it. */
export const look = html`${colours}
*, ::before, ::after { box-sizing: border-box; }
html { font: 106.25%/1.65 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--sheet); color: var(--ink); overflow-wrap: break-word; }
.band { width: 100%; max-width: 44rem; margin-inline: auto; padding-inline: 1rem; }
a { color: var(--accent); text-underline-offset: .2em; }
a:hover { text-decoration-thickness: .15em; }
:is(a, button, input, select, textarea, summary, audio, video):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; inset-inline-start: 1rem; top: -6rem; padding: .75rem 1rem; background: var(--sheet); z-index: 1; }
.skip:focus { top: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.top { border-bottom: 1px solid var(--hair); background: var(--ground); }
.top > .band { padding-block: .5rem; }
.name { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--ink); font-weight: 700; font-size: 1.125rem; text-decoration: none; }
.name:has(.logo) { gap: .75rem; padding-block: .375rem; }
.logo { height: 2.75rem; width: auto; max-width: 40vw; object-fit: contain; }
.name:hover { text-decoration: underline; }
.line { margin: -.5rem 0 .25rem; color: var(--soft); font-size: .9375rem; }
.plain { list-style: none; margin: 0; padding: 0; }
.ways { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.ways .ways { display: block; margin-inline-start: .5rem; padding-inline-start: .75rem; border-inline-start: 2px solid var(--line); }
.ways li { display: flex; flex-wrap: wrap; align-items: center; }
.ways li:has(> details[open]), .ways details[open] { flex: 1 0 100%; }
@supports selector(::details-content) {
  .ways li > details { display: contents; }
  .ways [open]::details-content { flex: 1 0 100%; }
}
.ways summary { display: inline-flex; align-items: center; justify-content: center; gap: .375rem; min-height: 2.75rem; min-width: 2.75rem; color: var(--accent); cursor: pointer; list-style: none; }
.ways summary::-webkit-details-marker { display: none; }
.ways summary::after { content: ''; width: .5rem; height: .5rem; border: solid; border-width: 0 2px 2px 0; transform: translateY(-25%) rotate(45deg); }
.ways [open] > summary::after { transform: translateY(25%) rotate(225deg); }
.ways a, .row > a, .turn a { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; }
[aria-current='page'] { color: var(--ink); font-weight: 600; text-decoration: none; }
main { padding-block: clamp(1.5rem, 5vw, 3rem); }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 .6em; text-wrap: balance; }
h1 { margin: 0 0 .4em; font-size: clamp(1.75rem, 5vw, 2.375rem); letter-spacing: -.015em; }
h2 { font-size: 1.4rem; }
h3 { font-size: 1.15rem; }
p, ul, ol, dl, figure, blockquote, pre, table, audio, video { margin: 0 0 1.25rem; }
img, video, iframe, object, svg { max-width: 100%; }
img, video { height: auto; }
figure { margin-inline: 0; }
figure :is(figcaption, .wp-caption-text), .gallery-caption { margin: .375rem 0 0; color: var(--soft); font-size: .9375rem; }
.wp-caption { max-width: 100%; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: .25rem solid var(--line); color: var(--soft); }
pre, code, kbd, samp { font: .9375rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, monospace; }
pre { padding: .75rem 1rem; background: var(--ground); border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; overflow-wrap: anywhere; }
th, td { padding: .375rem .5rem; border: 1px solid var(--hair); text-align: start; vertical-align: top; }
hr { margin: 2rem 0; border: 0; border-top: 1px solid var(--line); }
.about { margin: 0 0 1.5rem; color: var(--soft); font-size: .9375rem; }
.about a { color: inherit; }
.crumbs { margin: 0 0 .75rem; font-size: .9375rem; }
.lead { margin: 0 0 1.5rem; }
.lead img { display: block; border-radius: .5rem; }
.text { contain: paint; overflow: auto hidden; padding: .5rem; margin: -.5rem; }
.text::after { content: ''; display: block; clear: both; }
.text > :first-child { margin-top: 0; }
.alignleft { float: left; margin: .25rem 1.25rem .75rem 0; max-width: 50%; }
.alignright { float: right; margin: .25rem 0 .75rem 1.25rem; max-width: 50%; }
.aligncenter { display: block; margin-inline: auto; text-align: center; }
.has-text-align-center { text-align: center; }
.has-text-align-right { text-align: right; }
.gallery, .wp-block-gallery { display: flex; flex-wrap: wrap; gap: .75rem; margin-bottom: 1.25rem; }
.gallery-item, .wp-block-gallery figure { flex: 1 1 8rem; margin: 0; }
[class*='gallery-layout-'] { gap: var(--gallery-gutter); margin-block: var(--gallery-margin) 1.25rem; }
[class*='gallery-layout-']:not(:has(> .gallery-end)) { visibility: hidden; }
[class*='gallery-layout-'] > .gallery-item { min-width: 0; }
[class*='gallery-layout-'] > .gallery-item img { display: block; width: 100%; height: auto; }
.gallery-layout-justified > .gallery-item { flex: var(--gallery-ratio) 1 calc(var(--gallery-ratio) * var(--gallery-row)); }
.gallery-layout-justified:not(.gallery-last-justify)::after { content: ''; flex: 1000 1 0; }
.gallery-layout-columns { display: grid; grid-template-columns: repeat(var(--gallery-columns), minmax(0, 1fr)); align-items: start; }
.gallery-layout-masonry { display: block; columns: var(--gallery-columns); column-gap: var(--gallery-gutter); }
.gallery-layout-masonry > .gallery-item { break-inside: avoid; margin-bottom: var(--gallery-gutter); }
.gallery-title { display: block; margin-top: .375rem; }
.wp-block-media-folders-gallery { display: flex; flex-wrap: wrap; gap: var(--space); padding: 0; list-style: none; }
.wp-block-media-folders-gallery > li { flex: 1 1 calc(100% / var(--columns) - var(--space)); min-width: min(100%, var(--min-width)); }
.wp-block-media-folders-gallery figure { margin: 0; }
.wp-block-media-folders-gallery img { display: block; width: 100%; height: auto; }
.wp-block-media-folders-gallery.layout-grid { display: grid; grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); align-items: start; }
.wp-block-media-folders-gallery.layout-masonry { display: block; columns: var(--columns); column-gap: var(--space); }
.wp-block-media-folders-gallery.layout-masonry > li { break-inside: avoid; margin-bottom: var(--space); }
.wp-block-media-folders-gallery.is-cropped:not(.layout-masonry) img { aspect-ratio: 4 / 3; object-fit: cover; }
.lightbox { width: 100vw; height: 100dvh; max-width: none; max-height: none; padding: 3.5rem 1rem 1rem; border: 0; background: rgb(0 0 0 / .92); color: #fff; touch-action: pan-y pinch-zoom; }
.lightbox[open] { display: grid; grid-template: minmax(0, 1fr) auto / 3rem minmax(0, 1fr) 3rem; gap: .5rem; align-items: center; justify-items: center; }
.lightbox img { grid-area: 1 / 2; max-height: 100%; object-fit: contain; }
.lightbox-caption { grid-area: 2 / 1 / 3 / 4; margin: 0; }
.lightbox button { grid-row: 1; min-width: 2.75rem; padding: 0; justify-content: center; font-size: 1.75rem; background: #222; color: #fff; border-color: #777; }
.lightbox button[hidden] { display: none; }
.lightbox-no-arrows button:nth-last-child(-n+2):not(:focus-visible) { position: absolute; width: 1px; height: 1px; min-width: 0; min-height: 0; border: 0; overflow: hidden; clip-path: inset(50%); }
.lightbox button:focus-visible { outline-color: #fff; }
.lightbox button:first-child { grid-row: auto; position: absolute; inset-block-start: .5rem; inset-inline-end: .5rem; }
.lightbox button:nth-last-child(2) { grid-column: 1; }
.lightbox button:last-child { grid-column: 3; }
.wp-block-columns { display: flex; flex-wrap: wrap; gap: 1.5rem; }
.wp-block-column { flex: 1 1 12rem; min-width: 0; }
.wp-block-button__link, button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .5rem; text-decoration: none; cursor: pointer; }
button:hover { filter: brightness(1.12); }
.screen-reader-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.entry { padding-block: 1.5rem; border-bottom: 1px solid var(--hair); }
.entry:first-of-type { padding-top: 0; }
.entry h2 { margin: 0 0 .25rem; }
.entry h2 a { color: var(--ink); }
.entry .about { margin-bottom: .75rem; }
.entry p:last-child { margin-bottom: 0; }
.entry .lead img { max-height: 16rem; width: auto; }
.turn { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; margin-block: 2rem; padding-top: .5rem; border-top: 1px solid var(--hair); }
.turn > * { flex: 0 1 auto; }
.turn > :last-child { text-align: end; }
.turn span { display: block; color: var(--soft); font-size: .9375rem; }
.sorts { margin-block: 1.5rem; color: var(--soft); font-size: .9375rem; }
.sorts dt { float: left; clear: left; margin-inline-end: .5rem; }
.sorts dd { margin: 0; }
.talk { list-style: none; margin: 0 0 1.25rem; padding: 0; }
.talk .talk { margin: 0; padding-inline-start: clamp(.5rem, 3vw, 1.5rem); border-inline-start: 1px solid var(--hair); }
.talk article { padding-block: .75rem; }
.talk article:target { background: var(--good-ground); }
.talk p { margin-bottom: .75rem; }
form.ask { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; margin: 0 0 1.25rem; }
form.ask > div { flex: 1 1 12rem; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
input { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; }
.fault { margin: .375rem 0 0; color: var(--wrong); font-weight: 600; }
.foot { border-top: 1px solid var(--hair); background: var(--ground); color: var(--soft); font-size: .9375rem; }
.foot > .band { padding-block: 1.25rem; }
.foot .ask { max-width: 28rem; }
.row { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.small { padding: 1rem; border: 1px solid var(--hair); border-radius: .5rem; }
.small h1 { font-size: 1.25rem; }
.small > :last-child { margin-bottom: 0; }
@media (prefers-reduced-motion: no-preference) { button { transition: filter .15s; } }
@media (max-width: 37.5rem) { .wp-block-media-folders-gallery:not(.columns-1) { --columns: 2 !important; } .gallery-layout-justified { --gallery-row: var(--gallery-row-small) !important; } .gallery-layout-columns { grid-template-columns: repeat(min(var(--gallery-columns), 2), minmax(0, 1fr)); } .gallery-layout-masonry { columns: min(var(--gallery-columns), 2); } }
@media (max-width: 37.5rem) { .lightbox { padding: 3.5rem 0 1rem; } .lightbox img { grid-area: 1 / 1 / 2 / 4; } .lightbox-caption { grid-area: 2 / 2; } .lightbox button:nth-last-child(-n+2) { grid-row: 2; } }
@media (max-width: 26rem) { .alignleft, .alignright { float: none; max-width: 100%; margin-inline: 0; } }
@media (forced-colors: active) { button { border-color: ButtonText; } }
@media print { .top nav, .foot, .turn, .skip { display: none; } .text { contain: none; overflow: visible; } }
`;

const lookHash = hashOf(String(look));

interface Policy {
  /** What scripts may run, as they are written. */
  readonly scripts?: readonly string[];
  /** Addresses of script files. */
  readonly files?: readonly string[];
  /** Whether other sites may show it inside of theirs. */
  readonly framed?: boolean;
  /** What it loads besides, by directive. Frames and pictures come from anywhere as it is. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

/** Texts bring pictures, films, frames and styles along, and no script but those that are known to the letter. */
export function policyOf({ scripts = [], files = [], framed = false, sources = {} }: Policy): string {
  const running = [...scripts.map(hashOf), ...files, ...(sources['script-src'] ?? [])];
  const asking = sources['connect-src'] ?? [];
  return [
    "default-src 'none'",
    'img-src http: https: data:',
    'media-src http: https:',
    'frame-src http: https:',
    // The first is for browsers that do not know the others.
    "style-src 'unsafe-inline'",
    `style-src-elem ${lookHash}`,
    "style-src-attr 'unsafe-inline'",
    ...(running.length > 0 ? [`script-src ${running.join(' ')}`] : []),
    ...(asking.length > 0 ? [`connect-src ${asking.join(' ')}`] : []),
    "base-uri 'none'",
    "form-action 'self'",
    framed ? 'frame-ancestors *' : "frame-ancestors 'none'",
  ].join('; ');
}
