// What this site tells others of its own pages, and the script that other pages run to show them.
import { createHmac, hkdfSync } from 'node:crypto';
import { nobody } from '#kernel/caller.ts';
import { html } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import type { Content } from '#site/content/content.ts';
import type { MediaFile } from '#site/content/media/media.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { AboutNow } from '#site/platform/about.ts';
import { nothing } from './others.ts';

interface OwnNeeds {
  readonly content: Pick<Content, 'kinds' | 'rights' | 'posts' | 'media' | 'permalinks' | 'rendering'>;
  readonly users: Pick<Users, 'find'>;
  readonly about: AboutNow;
  /** Of the site; one of its own is made from it. */
  readonly key: Buffer;
}

/** As large as somebody asks, in whatever words. */
interface Asked {
  readonly maxwidth?: unknown;
  readonly maxheight?: unknown;
}

const widths = { least: 200, most: 600 };
const heights = { least: 200, smallest: 100 };

export type OwnEmbeds = ReturnType<typeof createOwnEmbeds>;

export function createOwnEmbeds({ content, users, about, key }: OwnNeeds) {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'embeds', 32));
  const { kinds, rights, posts, media, permalinks, rendering } = content;

  const isPublic = async (post: Post): Promise<boolean> =>
    kinds.type(post.type)?.viewable === true && post.password === '' && (await rights.mayRead(nobody, post));

  const thumbnailOf = async (post: Post, width: number): Promise<object> => {
    const id = post.type === 'attachment' ? post.id : post.featured_media;
    const file = id === 0 ? undefined : (await media.files([id])).get(id);
    const picture = id === post.id ? post : (await posts.some([id])).get(id);
    if (file === undefined || picture === undefined || !picture.mime_type.startsWith('image/')) return {};
    if (!(await rights.mayRead(nobody, picture))) return {};
    const size = fitting(file, width);
    return size === undefined
      ? {}
      : { thumbnail_url: media.urlOf(size.file), thumbnail_width: size.width, thumbnail_height: size.height };
  };

  /** Nothing for what nobody may see. */
  const find = async (url: string, asked: Asked): Promise<Found | undefined> => {
    const post = await permalinks.at(url);
    if (post === undefined || !(await isPublic(post))) return undefined;
    const address = (await permalinks.of([post])).get(post.id)!;
    const size = sizeOf(asked);
    const title = rendering.title(post.title);
    const secret = secretOf(own, address);
    return { post, title, ...size, html: markup({ address, title: readText(title), ...size, secret }) };
  };

  return {
    /** By address, those of pages that everybody may see. */
    async shown(urls: readonly string[]): Promise<Map<string, string>> {
      const found = await Promise.all(urls.map((url) => find(url, {})));
      return new Map(urls.flatMap((url, at) => (found[at] === undefined ? [] : [[url, found[at].html]])));
    },
    /** Throws `oembed_invalid_url` for what nobody may see. */
    async of(url: string, asked: Asked): Promise<Record<string, unknown>> {
      const found = await find(url, asked);
      if (found === undefined) throw nothing();
      const { post, title, width, height } = found;
      const site = await about();
      const author = post.author === 0 ? undefined : await users.find(post.author);
      return {
        version: '1.0',
        provider_name: site.title,
        provider_url: site.url,
        author_name: author?.name ?? site.title,
        author_url: author === undefined ? site.url : permalinks.ofAuthor(author.slug),
        title,
        type: post.mime_type.startsWith('video/') ? 'video' : 'rich',
        width,
        height,
        html: found.html,
        ...(await thumbnailOf(post, width)),
      };
    },
  };
}

/** A page that may be shown inside of others, and how. */
interface Found {
  readonly post: Post;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly html: string;
}

/** The same each time, so that the answer is. */
const secretOf = (key: Buffer, address: string): string =>
  createHmac('sha256', key)
    .update(address)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 10);

function sizeOf({ maxwidth, maxheight }: Asked): { width: number; height: number } {
  const asked = numberOf(maxwidth) ?? widths.most;
  const width = Math.min(widths.most, Math.max(widths.least, Math.floor(asked)));
  const height = Math.max(Math.ceil((width * 9) / 16), heights.least);
  const most = numberOf(maxheight);
  return { width, height: most === undefined || most < heights.smallest ? height : Math.min(height, Math.floor(most)) };
}

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

interface Shown {
  readonly address: string;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly secret: string;
}

function markup({ address, title, width, height, secret }: Shown): string {
  const frame = `${address.replace(/\/?$/, '/')}embed/#?secret=${secret}`;
  const quote = html`<blockquote class="embedded-content" data-secret="${secret}"><a href="${address}">${title}</a></blockquote>`;
  const attributes = html`width="${width}" height="${height}" title="${title}" data-secret="${secret}" class="embedded-content"`;
  const hidden = html`style="position: absolute; visibility: hidden;" frameborder="0" marginwidth="0" marginheight="0" scrolling="no"`;
  return `${quote}<iframe sandbox="allow-scripts" security="restricted" src="${html`${frame}`}" ${attributes} ${hidden}></iframe>${hostScript}`;
}

interface Size {
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

/** The smallest of its shape that is as wide, else the whole. */
function fitting(file: MediaFile, width: number): Size | undefined {
  const { width: wide, height: high } = file;
  if (wide === null || high === null) return undefined;
  const whole = { file: file.file, width: wide, height: high };
  const folder = file.file.slice(0, file.file.lastIndexOf('/') + 1);
  return Object.values(file.sizes)
    .map((size) => ({ ...size, file: folder + size.file }))
    .filter((size) => size.width >= width && Math.abs((size.width * high) / wide - size.height) <= 1)
    .reduce<Size>((best, size) => (size.width < best.width ? size : best), whole);
}

/**
 * Runs on pages that show one of ours: shows the frame once the page in it has reported, as high as it says. Only the frame
 * that was given the secret is listened to. It may lead to other pages of its own site, after a visitor has clicked into it.
 */
export const hostCode = `
(function () {
  addEventListener('message', function (event) {
    var said = event.data;
    if (!said || typeof said.secret !== 'string' || !/^[A-Za-z0-9]{10}$/.test(said.secret)) return;
    var frames = document.querySelectorAll('iframe[data-secret="' + said.secret + '"]');
    for (var i = 0; i < frames.length; i++) {
      if (frames[i].contentWindow !== event.source) continue;
      if (said.message === 'link') {
        if (document.activeElement !== frames[i]) continue;
        var to = new URL(said.value);
        if (/^https?:$/.test(to.protocol) && to.origin === new URL(frames[i].src).origin) window.top.location.href = to.href;
        continue;
      }
      if (said.message === 'height') frames[i].height = Math.min(1000, Math.max(200, parseInt(said.value, 10) || 200));
      frames[i].style.cssText = '';
      var quotes = document.querySelectorAll('blockquote[data-secret="' + said.secret + '"]');
      for (var j = 0; j < quotes.length; j++) quotes[j].style.display = 'none';
    }
  });
})();
`;

const hostScript = `<script>${hostCode}</script>`;
