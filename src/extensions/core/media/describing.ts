// A file as HTML: a picture of middle size that leads to the whole of it, or its title that does.
import { escapeHtml } from '#lib/html.ts';
import { inFolderOf } from '#site/content/media/rows.ts';
import { sizedOf, sourcesOf } from '#site/content/media/sources.ts';
import { isMeasured, nameOf } from './details.ts';
import type { ShownMedium } from './shown-medium.ts';

export function description(medium: ShownMedium): string {
  const { basis, shown, addressOf } = medium;
  const inside = isMeasured(medium)
    ? picture(medium)
    : basis.rendering.title(medium.title) || escapeHtml(nameOf(medium));
  const link = `<a href='${escapeHtml(addressOf(nameOf(medium)))}'>${inside}</a>`;
  return `<p class="attachment">${link}</p>\n${shown.html}`;
}

/** What somebody wrote under it, or the beginning of what describes it. */
export function caption(medium: ShownMedium): string {
  const { basis, prose, excerpt, content, title } = medium;
  if (excerpt !== '') return prose.caption(excerpt);
  const text = isMeasured(medium) ? content : `${basis.rendering.title(title)}\n\n${content}`.trim();
  return text === '' ? '' : prose.excerpt({ ...medium, excerpt: '', content: text });
}

function picture(medium: ShownMedium): string {
  const { file, addressOf } = medium;
  const middle = file.sizes.medium;
  const shown = middle === undefined ? sizedOf(file).at(-1)! : { ...middle, file: inFolderOf(file.file, middle.file) };
  const urlOf = (path: string): string => addressOf(path.slice(path.lastIndexOf('/') + 1));
  const sources = sourcesOf(file, shown, urlOf);
  const set =
    sources === undefined ? '' : ` srcset="${escapeHtml(sources.srcset)}" sizes="auto, ${escapeHtml(sources.sizes)}"`;
  return (
    `<img loading="lazy" decoding="async" width="${shown.width}" height="${shown.height}" ` +
    `src="${escapeHtml(urlOf(shown.file))}" class="attachment-medium size-medium" alt="${escapeHtml(file.alt_text)}"${set} />`
  );
}
