// The shortcodes that every site has.
import { escapeHtml } from '#lib/html.ts';
import { eachToken, readText, type Token } from '#lib/html-tokens.ts';
import { type Live, live } from '../live.ts';
import type { RenderingNeeds } from '../needs.ts';
import { gallery } from './gallery.ts';
import { player, playlist } from './players.ts';
import { addressOf, classesOf, numberOf } from './said.ts';

// A picture with what somebody wrote under it.

/** Nobody's page is wider. */
const widest = 100_000;

export const caption = live<undefined>({
  write({ attributes, inner, page }) {
    const [shown, under] = partsOf(inner, attributes.caption);
    const whole = page.shortcodes(shown);
    const width = numberOf(attributes.width, widest);
    if (width === undefined || width < 1 || under === '') return whole;
    const id = classesOf(attributes.id)[0] ?? '';
    const ids = id === '' ? undefined : { own: page.unique(id), caption: page.unique(captionOf(id)) };
    const classes = ['wp-caption', ...aligned(attributes.align), ...classesOf(attributes.class)].join(' ');
    const named = ids === undefined ? '' : `id="${ids.own}" aria-describedby="${ids.caption}" `;
    const called = ids === undefined ? '' : `id="${ids.caption}" `;
    return (
      `<figure ${named}style="width: ${width}px" class="${escapeHtml(classes)}">${whole}` +
      `<figcaption ${called}class="wp-caption-text">${page.shortcodes(under)}</figcaption></figure>`
    );
  },
});

const captionOf = (id: string): string => `caption-${id.replaceAll('_', '-')}`;

const aligned = (said: unknown): string[] => {
  const [align = 'alignnone'] = classesOf(said);
  return [align];
};

/** The picture with its link, and what is said of it. */
function partsOf(inner: string, said: unknown): [shown: string, under: string] {
  if (typeof said === 'string') return [inner, said.trim()];
  const end = endOfPicture(inner);
  return end === undefined ? [inner, ''] : [inner.slice(0, end).trim(), inner.slice(end).trim()];
}

const isTag = (token: Token, kind: 'open' | 'close', name: string): boolean =>
  token.kind === kind && token.name === name;

const isBlank = (html: string, { kind, start, end }: Token): boolean =>
  kind === 'text' && html.slice(start, end).trim() === '';

/** Where the first picture ends, with the link around it. */
function endOfPicture(html: string): number | undefined {
  let end: number | undefined;
  let isLinked = false;
  let isOver = false;
  eachToken(html, (token) => {
    if (isOver) return;
    if (end === undefined) {
      if (isTag(token, 'open', 'img')) end = token.end;
      else if (token.kind === 'open' || token.kind === 'close') isLinked = isTag(token, 'open', 'a');
      return;
    }
    const closes = isLinked && isTag(token, 'close', 'a');
    if (closes) end = token.end;
    isOver = closes || !isBlank(html, token);
  });
  return end;
}

/** An address of which nothing is known that could stand in its place. */
export const embed = (site: string): Live =>
  live<undefined>({
    write({ attributes, inner }) {
      const address = addressOf(attributes.src ?? readText(inner), site);
      const url = escapeHtml(address?.text ?? '');
      return url === '' ? '' : `<a href="${url}">${url}</a>`;
    },
  });

export const siteShortcodes = (needs: RenderingNeeds): Record<string, Live> => ({
  caption,
  wp_caption: caption,
  gallery: gallery(needs),
  audio: player('audio', needs),
  video: player('video', needs),
  playlist: playlist(needs),
  embed: embed(needs.url),
});
