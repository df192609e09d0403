// The record of a file: that of any content, as far as a file has it, and what is told of the file.
import type { Context, Schema } from '#kernel/schema.ts';
import { escapeHtml } from '#lib/html.ts';
import type { Extra } from '#site/content/extending.ts';
import { inFolderOf, type SubSize } from '#site/content/media/media.ts';
import { sizesOf } from '#site/content/media/sizes.ts';
import { backgroundOf, sizedOf, sourcesOf } from '#site/content/media/sources.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { always, edit, full, type Served } from '../posts/fields.ts';
import { deedsOf, linksOf as linksOfPost } from '../posts/links.ts';
import { postResource, unlisted } from '../posts/resource.ts';
import type { ShownPost } from '../posts/shown-post.ts';
import { type Part, textField } from '../texts.ts';
import type { ShownMedium } from './shown-media.ts';

// What is told of a file: its copies, what its maker wrote into it, how long it plays.

/** What answers say of a file. A sound or film, whose format decides what is known, has further members. */
function mediaDetails({ t }: Pick<Toolkit<Core>, 't'>): Schema {
  const size = t.object({
    file: t.string(),
    width: t.integer(),
    height: t.integer(),
    filesize: t.optional(t.integer()),
    mime_type: t.string(),
    source_url: t.string({ format: 'uri' }),
  });
  return t.object(
    {
      width: t.optional(t.integer()),
      height: t.optional(t.integer()),
      file: t.optional(t.string()),
      filesize: t.integer(),
      sizes: t.map(size),
      image_meta: t.optional(t.map(t.anyOf([t.string(), t.list(t.string())]))),
      original_image: t.optional(t.string()),
    },
    { additionalProperties: true },
  ) as Schema;
}

const nameOf = ({ file }: Pick<ShownMedium, 'file'>): string => file.file.replace(/^.*\//, '');

const isImage = ({ mime_type }: Pick<ShownMedium, 'mime_type'>): boolean => mime_type.startsWith('image/');

/** A picture whose size is known: others are files like any other. */
const isMeasured = ({ file }: Pick<ShownMedium, 'file'>): boolean =>
  'image_meta' in file.about && file.width !== null && file.height !== null;

function detailsOf(medium: ShownMedium): Record<string, unknown> {
  const { file } = medium;
  if (!isMeasured(medium)) return { ...file.about, filesize: file.size, sizes: {} };
  const { image_meta, ...more } = file.about;
  return {
    width: file.width,
    height: file.height,
    file: file.file,
    filesize: file.size,
    sizes: sizesShown(medium),
    image_meta,
    ...(file.original !== null && { original_image: file.original }),
    ...more,
  };
}

/** All of them, and the whole of it among them; clients are used to nothing where there are no copies. */
function sizesShown(medium: ShownMedium): Record<string, unknown> {
  const { file, addressOf } = medium;
  if (Object.keys(file.sizes).length === 0) return {};
  return { ...mapped(file.sizes, (size) => ({ ...size, source_url: addressOf(size.file) })), full: fullOf(medium) };
}

const mapped = <T>(sizes: Readonly<Record<string, SubSize>>, make: (size: SubSize) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(sizes).map(([label, size]) => [label, make(size)]));

function fullOf(medium: ShownMedium): Record<string, unknown> {
  const { file, mime_type, addressOf } = medium;
  const name = nameOf(medium);
  return { file: name, width: file.width, height: file.height, mime_type, source_url: addressOf(name) };
}

/** Copies that such a picture should have and has not. */
function missingSizes(medium: ShownMedium): string[] {
  const { file } = medium;
  if (!isMeasured(medium)) return [];
  const wanted = sizesOf({ width: file.width!, height: file.height! }, medium.sizes);
  return wanted.map(({ label }) => label).filter((label) => !(label in file.sizes));
}

type Tools = Pick<Toolkit<Core>, 't' | 'resource'>;

const quality = { default: 82, sizes: [] };

/** Nothing else is registered for files, and clients are used to a list then. */
const metaField = ({ t }: Tools) =>
  t.optional(
    t.listWhenEmpty(
      t.publishedAs(
        t.object({}),
        t.untyped({
          context: full,
          description: 'Meta values.',
          check: (value: unknown) => (typeof value === 'object' ? undefined : false),
        }),
      ),
    ),
  );

const text = (context: readonly Context[]): Part => ({ type: 'string', context });

/** More than anybody says of a picture. */
const longestAlt = 10_000;

function ownFields(tools: Tools) {
  const { t } = tools;
  const told = (context: readonly Context[], what: string) => t.fixed(t.string({ context, description: what }));
  const number = (context: readonly Context[], what: string) => t.fixed(t.integer({ context, description: what }));
  const alt = {
    context: always,
    description: 'Alternative text, for readers who cannot see the picture.',
    check: (words: string) =>
      words.length <= longestAlt ? undefined : { code: 'rest_too_long', message: 'alt_text is too long.' },
  };
  return {
    description: textField(t, full, 'Description.', { raw: text(edit), rendered: text(full) }),
    caption: textField(t, always, 'Caption.', { raw: text(edit), rendered: text(always) }),
    alt_text: t.optional(t.publishedAs(t.string(), t.string({ ...alt, format: 'text-field' }))),
    media_type: t.fixed(
      t.choice(['image', 'file'], { context: always, description: '`image` for pictures, `file` for other files.' }),
    ),
    mime_type: told(always, 'MIME type.'),
    media_details: t.fixed(
      t.answeredAs(mediaDetails({ t }), t.free({ context: always, description: 'Details of the file.' })),
    ),
    post: t.optional(
      t.answeredAs(
        { type: ['integer', 'null'] },
        t.integer({ context: full, description: 'Id of the record that the file is attached to.' }),
      ),
    ),
    source_url: t.fixed(t.string({ format: 'uri', context: always, description: 'URL of the file.' })),
    missing_image_sizes: t.fixed(t.list(t.string(), { context: edit, description: 'Sizes of missing copies.' })),
    placeholder: t.fixed(
      t.nullable(t.string(), {
        context: always,
        description: 'Placeholder until the picture is loaded: a ThumbHash, in base64.',
      }),
    ),
    dominant_color: t.fixed(t.nullable(t.string(), { context: always, description: 'Dominant color: `#rrggbb`.' })),
    filename: told(always, 'File name.'),
    filesize: number(always, 'Size in bytes.'),
    exif_orientation: number(edit, 'EXIF orientation.'),
    image_output_format: t.fixed(
      t.nullable(t.string(), { context: edit, description: 'Output formats of its copies.' }),
    ),
    image_save_progressive: t.fixed(t.boolean({ context: edit, description: 'Whether copies are progressive.' })),
    image_quality: t.fixed(
      t.answeredAs(
        t.object({ default: t.integer(), sizes: t.list(t.free()) }) as Schema,
        t.free({ context: edit, description: 'Quality of copies, in percent.' }),
      ),
    ),
  };
}

const ofImages =
  <T>(read: (medium: ShownMedium) => T) =>
  (medium: ShownMedium): T | undefined =>
    isMeasured(medium) ? read(medium) : undefined;

const orientationOf = ({ file }: ShownMedium): number =>
  Number((file.about.image_meta as { orientation?: string } | undefined)?.orientation) || 1;

const computed = {
  guid: ({ guid }: ShownMedium) => ({ rendered: guid, raw: guid }),
  meta: () => [],
  description: (medium: ShownMedium) => ({ raw: medium.content, rendered: description(medium) }),
  caption: (medium: ShownMedium) => ({ raw: medium.excerpt, rendered: caption(medium) }),
  alt_text: ({ file }: ShownMedium) => file.alt_text,
  media_type: (medium: ShownMedium) => (isImage(medium) ? 'image' : 'file'),
  media_details: detailsOf,
  post: ({ parent }: ShownMedium) => (parent === 0 ? null : parent),
  source_url: (medium: ShownMedium) => medium.addressOf(nameOf(medium)),
  missing_image_sizes: missingSizes,
  placeholder: ({ file }: ShownMedium) => file.placeholder?.thumbhash ?? null,
  dominant_color: ({ file }: ShownMedium) => file.placeholder?.color ?? null,
  filename: nameOf,
  filesize: ({ file }: ShownMedium) => file.size,
  exif_orientation: ofImages(orientationOf),
  image_output_format: ofImages(() => null),
  image_save_progressive: ofImages(() => false),
  image_quality: ofImages(() => quality),
};

export function mediumResource(tools: Tools, served: Served, extra: Extra) {
  const post = postResource(tools, served);
  const { permalink_template, generated_slug, class_list, meta: _, ...first } = post.fields;
  const extras = Object.keys(extra.fields).map((name) => [name, (medium: ShownPost) => medium.extra[name]] as const);
  return tools.resource({
    name: served.type.name,
    fields: {
      ...first,
      meta: metaField(tools),
      permalink_template,
      generated_slug,
      class_list,
      ...ownFields(tools),
      ...tools.t.unlisted(extra.fields),
    },
    compute: { ...post.compute, ...computed, ...unlisted(extras) },
    links: linksOf,
    deeds: deedsOf(served),
    page: ({ link }: ShownMedium) => link,
  });
}

/** What it is attached to stands before what may be done with it. */
function linksOf(medium: ShownMedium) {
  const { attachedTo } = medium;
  const all = Object.entries(linksOfPost(medium));
  const at = all.findIndex(([rel]) => rel.startsWith('wp:action-'));
  const [before, actions] = at < 0 ? [all, []] : [all.slice(0, at), all.slice(at)];
  return Object.fromEntries([...before, ...(attachedTo === undefined ? [] : [attached(attachedTo)]), ...actions]);
}

const attached = ({ id, type, base }: NonNullable<ShownMedium['attachedTo']>) =>
  ['wp:attached-to', [{ embeddable: true, post_type: type, id, href: `/core/v2/${base}/${id}` }]] as const;

function description(medium: ShownMedium): string {
  const { basis, shown, addressOf } = medium;
  const inside = isMeasured(medium)
    ? picture(medium)
    : basis.rendering.title(medium.title) || escapeHtml(nameOf(medium));
  const link = `<a href='${escapeHtml(addressOf(nameOf(medium)))}'>${inside}</a>`;
  return `<p class="attachment">${link}</p>\n${shown.html}`;
}

/** What somebody wrote under it, or the beginning of what describes it. */
function caption(medium: ShownMedium): string {
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
  const color = backgroundOf(file);
  const painted = color === undefined ? '' : ` style="${color}"`;
  return (
    `<img loading="lazy" decoding="async" width="${shown.width}" height="${shown.height}" ` +
    `src="${escapeHtml(urlOf(shown.file))}" class="attachment-medium size-medium" alt="${escapeHtml(file.alt_text)}"${set}${painted} />`
  );
}
