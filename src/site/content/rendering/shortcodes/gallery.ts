// Pictures side by side, each with its link and what is written under it.
import { escapeHtml } from '#lib/html.ts';
import { meaning } from '#lib/html-tokens.ts';
import { inFolderOf } from '../../media/media.ts';
import { backgroundOf, sourcesOf } from '../../media/sources.ts';
import { mediaTopic } from '../../tables.ts';
import { balanced } from '../balanced.ts';
import { type Live, live, type Placed } from '../live.ts';
import { typography } from '../typography.ts';
import { type Listed, type ListedNeeds, listed, saidOfFiles } from './listed.ts';
import { classesOf, numberOf, wordOf } from './said.ts';

type UrlOf = (file: string) => string;

export const gallery = (needs: ListedNeeds): Live =>
  live<readonly Listed[]>({
    rests: [mediaTopic],
    reads: saidOfFiles,
    find: (asked) => listed(needs, 'image', asked),
    write: (placed, pictures) => written(placed, pictures, needs.media.urlOf),
  });

/** Nobody sees more of them side by side. */
const mostColumns = 99;

interface Look {
  readonly id: string;
  readonly size: string;
  readonly link: 'post' | 'file' | 'none';
  readonly urlOf: UrlOf;
}

function written({ attributes, of, page }: Placed, pictures: readonly Listed[], urlOf: UrlOf): string {
  const id = `gallery-${page.next('gallery')}`;
  if (pictures.length === 0) return '';
  const size = classesOf(attributes.size)[0] ?? 'thumbnail';
  const link = wordOf(attributes.link, ['file', 'none']) ?? 'post';
  const columns = numberOf(attributes.columns, mostColumns) ?? 3;
  const record = numberOf(attributes.id, Number.MAX_SAFE_INTEGER) ?? of?.id ?? 0;
  const items = pictures.map((picture) => item(picture, { id, size, link, urlOf })).join('');
  return (
    `<div id='${id}' class='gallery galleryid-${record} gallery-columns-${columns} gallery-size-${size}'>` +
    `${items}\n\t\t</div>\n`
  );
}

function item(picture: Listed, look: Look): string {
  const { file, width, height } = sized(picture, 'full');
  const caption = balanced(typography(picture.caption.trim(), new Set()));
  const captionId = `${look.id}-${picture.id}`;
  const image = imageOf(picture, look, caption === '' ? undefined : captionId);
  const address = look.link === 'file' ? look.urlOf(file) : picture.link;
  const shown = look.link === 'none' ? image : `<a href='${escapeHtml(address)}'>${image}</a>`;
  const shape = width === null || height === null ? '' : height > width ? ' portrait' : ' landscape';
  const under =
    caption === ''
      ? ''
      : `\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='${captionId}'>\n` +
        `\t\t\t\t${caption}\n\t\t\t\t</figcaption>`;
  return (
    `<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon${shape}'>\n\t\t\t\t${shown}\n\t\t\t</div>` +
    `${under}</figure>`
  );
}

type Shown = Pick<Listed['file'], 'file' | 'width' | 'height'>;

/** The copy of this label; where there is none, the whole of it. */
function sized({ file }: Listed, label: string): Shown {
  const copy = Object.hasOwn(file.sizes, label) ? file.sizes[label]! : undefined;
  return copy === undefined ? file : { ...copy, file: inFolderOf(file.file, copy.file) };
}

function imageOf(picture: Listed, { size, urlOf }: Look, describedBy: string | undefined): string {
  const { file, width, height } = sized(picture, size);
  const isMeasured = width !== null && height !== null;
  const sources = isMeasured ? sourcesOf(picture.file, { file, width, height }, urlOf) : undefined;
  const color = backgroundOf(picture.file);
  return [
    '<img',
    ...(isMeasured ? ['loading="lazy"'] : []),
    'decoding="async"',
    ...(isMeasured ? [`width="${width}" height="${height}"`] : []),
    `src="${escapeHtml(urlOf(file))}" class="attachment-${size} size-${size}"`,
    `alt="${escapeHtml(meaning(picture.file.alt_text))}"`,
    ...(describedBy === undefined ? [] : [`aria-describedby="${describedBy}"`]),
    ...(sources === undefined ? [] : [`srcset="${escapeHtml(sources.srcset)}" sizes="auto, ${sources.sizes}"`]),
    ...(color === undefined ? [] : [`style="${color}"`]),
    '/>',
  ].join(' ');
}
