// The record of a file: that of any content, as far as a file has it, and what is told of the file.
import type { Context, Schema, TProperties, TSchema } from '#kernel/schema.ts';
import { escapeHtml } from '#lib/html.ts';
import type { Extra } from '#site/content/extending.ts';
import { inFolderOf } from '#site/content/media/rows.ts';
import { sizedOf, sourcesOf } from '#site/content/media/sources.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { always, edit, full, type Served } from '../posts/fields.ts';
import { deedsOf, linksOf as linksOfPost } from '../posts/links.ts';
import { postResource } from '../posts/resource.ts';
import type { ShownPost } from '../posts/shown-post.ts';
import { type Part, textField } from '../texts.ts';
import { detailsOf, isImage, isMeasured, mediaDetails, missingSizes, nameOf } from './details.ts';
import type { ShownMedium } from './shown-media.ts';

type Tools = Pick<Toolkit<Core>, 't' | 'resource'>;

const quality = { default: 82, sizes: [] };

/** Nothing else is registered for files, and clients are used to a list then. */
const metaField = ({ t }: Tools): TSchema =>
  t.optional(
    t.listWhenEmpty(
      t.publishedAs(
        t.object({}),
        t.untyped({
          context: full,
          description: 'What else is kept of it.',
          check: (value: unknown) => (typeof value === 'object' ? undefined : false),
        }),
      ),
    ),
  );

const text = (context: readonly Context[]): Part => ({ type: 'string', context });

/** More than anybody says of a picture. */
const longestAlt = 10_000;

function ownFields(tools: Tools): TProperties {
  const { t } = tools;
  const told = (context: readonly Context[], what: string) => t.fixed(t.string({ context, description: what }));
  const number = (context: readonly Context[], what: string) => t.fixed(t.integer({ context, description: what }));
  const alt = {
    context: always,
    description: 'What it shows, for those who do not see it.',
    check: (words: string) =>
      words.length <= longestAlt ? undefined : { code: 'rest_too_long', message: 'alt_text is too long.' },
  };
  return {
    description: textField(t, full, 'What it is.', { raw: text(edit), rendered: text(full) }),
    caption: textField(t, always, 'What stands below it.', { raw: text(edit), rendered: text(always) }),
    alt_text: t.optional(t.publishedAs(t.string(), t.string({ ...alt, format: 'text-field' }))),
    media_type: t.fixed(t.choice(['image', 'file'], { context: always, description: 'Whether it is a picture.' })),
    mime_type: told(always, 'What kind of file it is.'),
    media_details: t.fixed(
      t.answeredAs(mediaDetails({ t }), t.free({ context: always, description: 'What is known of the file.' })),
    ),
    post: t.optional(
      t.answeredAs({ type: ['integer', 'null'] }, t.integer({ context: full, description: 'What it is attached to.' })),
    ),
    source_url: t.fixed(t.string({ format: 'uri', context: always, description: 'Where the file is.' })),
    missing_image_sizes: t.fixed(
      t.list(t.string(), { context: edit, description: 'Copies it should have and has not.' }),
    ),
    filename: told(always, 'Its name.'),
    filesize: number(always, 'Its size in bytes.'),
    exif_orientation: number(edit, 'How the camera was held.'),
    image_output_format: t.fixed(
      t.nullable(t.string(), { context: edit, description: 'What its copies are turned into.' }),
    ),
    image_save_progressive: t.fixed(t.boolean({ context: edit, description: 'Whether copies appear at once.' })),
    image_quality: t.fixed(
      t.answeredAs(
        t.object({ default: t.integer(), sizes: t.list(t.free()) }) as Schema,
        t.free({ context: edit, description: 'How good copies are, in percent.' }),
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
  filename: nameOf,
  filesize: ({ file }: ShownMedium) => file.size,
  exif_orientation: ofImages(orientationOf),
  image_output_format: ofImages(() => null),
  image_save_progressive: ofImages(() => false),
  image_quality: ofImages(() => quality),
};

export function mediumResource(tools: Tools, served: Served, extra: Extra) {
  const post = postResource(tools, served);
  const { permalink_template, generated_slug, class_list, meta: _, ...first } = post.fields as TProperties;
  const last = { permalink_template, generated_slug, class_list } as TProperties;
  const extras = Object.keys(extra.fields).map((name) => [name, (medium: ShownPost) => medium.extra[name]] as const);
  return tools.resource({
    name: served.type.name,
    fields: { ...first, meta: metaField(tools), ...last, ...ownFields(tools), ...extra.fields },
    compute: { ...post.compute, ...computed, ...Object.fromEntries(extras) } as Record<
      string,
      (medium: ShownMedium, context: Context) => unknown
    >,
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
  return (
    `<img loading="lazy" decoding="async" width="${shown.width}" height="${shown.height}" ` +
    `src="${escapeHtml(urlOf(shown.file))}" class="attachment-medium size-medium" alt="${escapeHtml(file.alt_text)}"${set} />`
  );
}
