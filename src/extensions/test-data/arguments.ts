// What may be said of an order of test data. The routes, the index and the document of this family are all read off it.
import { type Static, t } from '#kernel/schema.ts';

/** Without these names no list that somebody sends gets too long. */
const longest = 1_000;

const fewEnough = (ids: readonly number[]) =>
  ids.length <= longest ? undefined : { code: 'rest_too_many_items', message: `Send at most ${longest} ids.` };

const numbers = (description: string) => t.optional(t.list(t.integer(), { description, check: fewEnough }));

const end = () => t.optional(t.integer({ minimum: 1 }));

/** `most`: so many in one order. */
export const orderArgs = (most: number) => {
  const quantity = { minimum: 1, maximum: most, default: null, description: 'Number of records (default: 10).' };
  return {
    quantity: t.publishedAs(t.integer(quantity), t.nullable(t.integer(), quantity)),
    qty: t.optional(
      t.object(
        { min: end(), max: end() },
        { description: 'Range of the number of records; has priority over quantity.' },
      ),
    ),
    meta: t.optional(
      t.publishedAs(
        t.free({ description: 'Meta values of each record, by key.' }),
        t.untyped({ description: 'Meta values of each record, by key.' }),
      ),
    ),
    offset: t.integer({
      minimum: 0,
      default: 0,
      description: 'Used internally for batching: number of records created already.',
    }),
    total: t.integer({ minimum: 0, default: 0, description: 'Used internally for batching: total number of records.' }),
  };
};

/** Beyond it two numbers are one. */
const largest = Number.MAX_SAFE_INTEGER;

/** What the index does not show. */
export const orderPayload = t.object({
  seed: t.optional(
    // A text stays a text, though it be of digits: by each of its signs what was made is found.
    t.anyOf([t.string({ minLength: 1, maxLength: 64 }), t.integer({ minimum: -largest, maximum: largest })], {
      description: 'The same seed creates the same records again, and finds them for removal.',
    }),
  ),
});

const postStatuses = [
  ...['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'],
  ...['request-pending', 'request-confirmed', 'request-failed', 'request-completed', 'acf-disabled'],
];

export const postArgs = {
  post_type: t.string({ default: 'post', description: 'Type of the records.' }),
  post_status: t.choice(postStatuses, { default: 'publish', description: 'Status of the records.' }),
  author_ids: numbers('Ids of users, one of whom is the author of each.'),
};

export const userArgs = { role: t.string({ default: 'subscriber', description: 'Roles.' }) };

export const termArgs = { taxonomy: t.string({ default: 'category', description: 'Taxonomy of the terms.' }) };

export const commentArgs = {
  post_ids: numbers('Ids of records, one for each comment.'),
  comment_status: t.choice(['approve', 'hold', 'spam', 'trash'], {
    default: 'approve',
    description: 'Status of the comments.',
  }),
};

const fileTypes = ['jpg', 'jpeg', 'png', 'gif', 'webp'] as const;
export type FileType = (typeof fileTypes)[number];

const side = (description: string) => {
  const end = () => t.optional(t.integer({ minimum: 50 }));
  return t.optional(t.objectOr(t.integer(), { min: end(), max: end() }, { description }));
};
const isWanted = (description: string) => t.boolean({ default: true, description });
const day = () => t.optional(t.string({ format: 'date' }));

export const attachmentArgs = {
  provider: t.choice(['placeholder', 'lorempicsum'], {
    default: 'placeholder',
    description: 'Whether the site draws the pictures, or downloads photographs.',
  }),
  width: side('Width, in pixels: from 50 to 5000, or a range.'),
  height: side('Height, in pixels (default: from the width).'),
  aspect_ratio: t.number({
    minimum: 0.1,
    maximum: 10,
    default: 1.5,
    description: 'Width divided by height, if the height is not given.',
  }),
  file_types: t.list(t.choice(fileTypes), {
    default: ['jpg'],
    description: 'File types, one of which is chosen for each.',
  }),
  post_parent: Object.assign(t.listOrOne(t.integer()), {
    default: 0,
    description: 'Id of the record to attach to, or a list of ids to choose from.',
  }),
  author_ids: numbers('Ids of users, one of whom is the author of each.'),
  generate_alt_text: isWanted('Whether they have an alternative text.'),
  generate_caption: isWanted('Whether they have a caption.'),
  generate_description: isWanted('Whether they have a description.'),
  date_range: t.optional(t.object({ min: day(), max: day() }, { description: 'Range of upload dates.' })),
};

export type AttachmentArgs = { readonly [K in keyof typeof attachmentArgs]: Static<(typeof attachmentArgs)[K]> };
