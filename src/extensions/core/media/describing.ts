// A file as HTML: a picture of middle size that leads to the whole of it, or its title that does.
import { escapeHtml } from '#lib/html.ts';
import { isMeasured, nameOf } from './details.ts';
import type { ShownMedium } from './shown-medium.ts';

export function description(medium: ShownMedium): string {
  const { basis, shown, addressOf } = medium;
  const inside = isMeasured(medium) ? picture(medium) : basis.rendering.title(medium.title);
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

interface Source {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

const widest = 2_048;

function picture(medium: ShownMedium): string {
  const { file, addressOf } = medium;
  const full: Source = { name: nameOf(medium), width: file.width!, height: file.height! };
  const sources = Object.entries(file.sizes).map(([, { file: name, width, height }]) => ({ name, width, height }));
  const middle = file.sizes.medium;
  const shown = middle === undefined ? full : { ...middle, name: middle.file };
  const alike = [...sources, full].filter(
    (one) => one.name !== shown.name && one.width <= widest && isAlike(shown, one),
  );
  const entries = [shown, ...alike].map(({ name, width }) => `${addressOf(name)} ${width}w`);
  const set =
    alike.length === 0 ? '' : ` srcset="${escapeHtml([...new Set(entries)].join(', '))}" sizes="${fitting(shown)}"`;
  return (
    `<img loading="lazy" decoding="async" width="${shown.width}" height="${shown.height}" ` +
    `src="${escapeHtml(addressOf(shown.name))}" class="attachment-medium size-medium" alt="${escapeHtml(file.alt_text)}"${set} />`
  );
}

const fitting = ({ width }: Source): string => `auto, (max-width: ${width}px) 100vw, ${width}px`;

/** Of the same shape, but for a pixel of rounding: the others were cut. */
function isAlike(one: Source, other: Source): boolean {
  const [small, large] = one.width <= other.width ? [one, other] : [other, one];
  return Math.abs(Math.round((large.height * small.width) / large.width) - small.height) <= 1;
}
