// What plays a sound or a film.
import { escapeHtml } from '#lib/html.ts';
import { eachToken } from '#lib/html-tokens.ts';
import { mimeOf } from '../../media/file-kinds.ts';
import { mediaTopic } from '../../tables.ts';
import { type Live, live, type Placed } from '../live.ts';
import { typography } from '../typography.ts';
import { type Listed, type ListedNeeds, listed, saidOfFiles } from './listed.ts';
import { type Address, addressOf, classesOf, isWanted, numberOf, wordOf } from './said.ts';

/** Sounds or films one after another, each with its player. */
interface PlaylistDeps extends ListedNeeds {
  readonly url: string;
}

const kindOf = (attributes: Placed['attributes']): Playing => wordOf(attributes.type, ['audio', 'video']) ?? 'audio';

export const playlist = (needs: PlaylistDeps): Live =>
  live<readonly Listed[]>({
    rests: [mediaTopic],
    reads: [...saidOfFiles, 'type'],
    find: (asked) => listed(needs, kindOf(asked.attributes), asked),
    write(placed, files) {
      const kind = kindOf(placed.attributes);
      const play = kind === 'audio' ? audio : video;
      const items = files.map(({ title, file }) => {
        const attributes = { src: needs.media.urlOf(file.file) };
        const player = play({ ...placed, attributes, inner: '' }, needs.url);
        return `<li class="wp-playlist-item">${titled(title)}${player}</li>`;
      });
      if (items.length === 0) return '';
      return `<ol class="wp-playlist wp-${kind}-playlist">\n${items.join('\n')}\n</ol>\n`;
    },
  });

const titled = (title: string): string =>
  title.trim() === '' ? '' : `<span class="wp-playlist-item-title">${typography(title.trim(), new Set())}</span> `;

/** By the ending that each may be named by, besides `src`. */
const formats = {
  audio: ['mp3', 'ogg', 'oga', 'flac', 'm4a', 'aac', 'wav'],
  video: ['mp4', 'm4v', 'webm', 'ogv', 'mov'],
} as const;

export type Playing = keyof typeof formats;

type Written = Pick<Placed, 'attributes' | 'of' | 'inner' | 'page'>;

interface Needs extends ListedNeeds {
  /** The public base address of the site. */
  readonly url: string;
}

/** One that names nothing plays the first file of its kind that belongs to the record. */
export const player = (kind: Playing, needs: Needs): Live =>
  live<string | undefined>({
    rests: [mediaTopic],
    // Whatever it names: so it is looked up once, however many there are.
    reads: [],
    always: true,
    async find({ of }) {
      const [first] = await listed(needs, kind, { attributes: {}, of }, few);
      return first && needs.media.urlOf(first.file.file);
    },
    write(placed, attached) {
      const { attributes } = placed;
      const named = namesNothing(kind, attributes) && attached ? { ...attributes, src: attached } : attributes;
      return (kind === 'audio' ? audio : video)({ ...placed, attributes: named }, needs.url);
    },
  });

/** Not each may be seen by everybody. */
const few = 10;

const namesNothing = (kind: Playing, attributes: Placed['attributes']): boolean =>
  ['src', ...formats[kind]].every((name) => (attributes[name] ?? '') === '');

export function audio({ attributes, of, page }: Written, site: string): string {
  const addresses = addressesOf('audio', attributes, site);
  if (!addresses.some(isPlayed('audio'))) return linkTo(addresses[0], 'audio');
  const number = page.next('audio');
  return (
    `<audio class="${classes('wp-audio-shortcode', attributes)}" id="audio-${of?.id ?? 0}-${number}"` +
    `${switches(attributes, ['loop', 'autoplay', 'muted'])} preload="${preload(attributes, 'none')}" ` +
    `style="width: 100%;" controls="controls">${sources('audio', addresses, number)}</audio>`
  );
}

/** Nobody's page is larger. */
const largest = 10_000;

export function video({ attributes, of, inner, page }: Written, site: string): string {
  const addresses = addressesOf('video', attributes, site);
  if (!addresses.some(isPlayed('video'))) return linkTo(addresses[0], 'video');
  const number = page.next('video');
  const [width, height] = [numberOf(attributes.width, largest) || 640, numberOf(attributes.height, largest) || 360];
  const poster = addressOf(attributes.poster, site);
  return (
    `<div style="width: ${width}px;" class="wp-video">` +
    `<video class="${classes('wp-video-shortcode', attributes)}" id="video-${of?.id ?? 0}-${number}" ` +
    `width="${width}" height="${height}"${poster === undefined ? '' : ` poster="${escapeHtml(poster.text)}"`}` +
    `${switches(attributes, ['loop', 'autoplay', 'muted'])} preload="${preload(attributes, 'metadata')}" ` +
    `controls="controls">${sources('video', addresses, number)}${tracksIn(inner)}</video></div>`
  );
}

const addressesOf = (kind: Playing, attributes: Placed['attributes'], site: string): Address[] =>
  ['src', ...formats[kind]].map((name) => addressOf(attributes[name], site)).filter((one) => one !== undefined);

const isPlayed =
  (kind: Playing) =>
  ({ path }: Address): boolean =>
    mimeOf(path).startsWith(`${kind}/`);

/** Each in its form, and a link for whoever cannot play any. The number keeps players of one file apart. */
function sources(kind: Playing, addresses: readonly Address[], number: number): string {
  const played = addresses.filter(isPlayed(kind));
  const each = played.map(
    ({ text, path }) => `<source type="${mimeOf(path)}" src="${escapeHtml(numbered(text, number))}" />`,
  );
  const first = escapeHtml(played[0]!.text);
  return `${each.join('')}<a href="${first}">${first}</a>`;
}

function numbered(url: string, number: number): string {
  const [address = '', fragment] = url.split('#', 2);
  const asked = `${address}${address.includes('?') ? '&' : '?'}_=${number}`;
  return fragment === undefined ? asked : `${asked}#${fragment}`;
}

const linkTo = (address: Address | undefined, kind: Playing): string => {
  const url = escapeHtml(address?.text ?? '');
  return url === '' ? '' : `<a class="wp-embedded-${kind}" href="${url}">${url}</a>`;
};

const classes = (own: string, attributes: Placed['attributes']): string =>
  [...new Set([own, ...classesOf(attributes.class)])].join(' ');

const switches = (attributes: Placed['attributes'], names: readonly string[]): string =>
  names.map((name) => (isWanted(attributes[name]) ? ` ${name}="1"` : '')).join('');

const preload = (attributes: Placed['attributes'], usual: string): string =>
  wordOf(attributes.preload, ['none', 'metadata', 'auto']) ?? usual;

/** What is said in a film, to be read. */
function tracksIn(inner: string): string {
  if (!inner.includes('<track')) return '';
  const tracks: string[] = [];
  eachToken(inner, (token) => {
    if (token.kind === 'open' && token.name === 'track') tracks.push(inner.slice(token.start, token.end));
  });
  return tracks.join('');
}
