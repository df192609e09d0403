// What may be said of an order of test data. The routes, the index and the document of this family are all read off it.
import { type Static, t } from '#kernel/schema.ts';

/** Without these names no list that somebody sends gets too long. */
const longest = 1_000;

const fewEnough = (ids: readonly number[]) =>
  ids.length <= longest
    ? undefined
    : { code: 'rest_too_many_items', message: `At most ${longest} numbers can be named.` };

const numbers = (description: string) => t.optional(t.list(t.integer(), { description, check: fewEnough }));

const end = () => t.optional(t.integer({ minimum: 1 }));

/** `most`: so many in one order. */
export const orderArgs = (most: number) => {
  const quantity = { minimum: 1, maximum: most, default: null, description: 'How many, 10 where nobody says.' };
  return {
    quantity: t.publishedAs(t.integer(quantity), t.nullable(t.integer(), quantity)),
    qty: t.optional(t.object({ min: end(), max: end() }, { description: 'Between how many; comes before quantity.' })),
    meta: t.optional(
      t.publishedAs(
        t.free({ description: 'What is kept beside each, by key.' }),
        t.untyped({ description: 'What is kept beside each, by key.' }),
      ),
    ),
    offset: t.integer({
      minimum: 0,
      default: 0,
      description: 'Used internally for batching: how many are made already.',
    }),
    total: t.integer({ minimum: 0, default: 0, description: 'Used internally for batching: of how many.' }),
  };
};

/** Beyond it two numbers are one. */
const largest = Number.MAX_SAFE_INTEGER;

/** What the index does not show. */
export const orderPayload = t.object({
  seed: t.optional(
    // A text stays a text, though it be of digits: by each of its signs what was made is found.
    t.anyOf([t.string({ minLength: 1, maxLength: 64 }), t.integer({ minimum: -largest, maximum: largest })], {
      description: 'The same seed makes the same again. By it what was made is found, too.',
    }),
  ),
});

const postStatuses = [
  ...['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'],
  ...['request-pending', 'request-confirmed', 'request-failed', 'request-completed', 'acf-disabled'],
];

export const postArgs = {
  post_type: t.string({ default: 'post', description: 'The type of the records.' }),
  post_status: t.choice(postStatuses, { default: 'publish', description: 'Their status, kept as it stands.' }),
  author_ids: numbers('Whose they are: one of these people.'),
};

export const userArgs = { role: t.string({ default: 'subscriber', description: 'What they are here.' }) };

export const termArgs = { taxonomy: t.string({ default: 'category', description: 'Of what kind they are.' }) };

export const commentArgs = {
  post_ids: numbers('What they are about: one of these records.'),
  comment_status: t.choice(['approve', 'hold', 'spam', 'trash'], {
    default: 'approve',
    description: 'What became of them.',
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
    description: 'Whether the pictures are drawn here, or photographs that are fetched.',
  }),
  width: side('How wide they are, in pixels: from 50 to 5000, or a range of it.'),
  height: side('How high they are; by their width, where it is left out.'),
  aspect_ratio: t.number({
    minimum: 0.1,
    maximum: 10,
    default: 1.5,
    description: 'Their width through their height, where no height is given.',
  }),
  file_types: t.list(t.choice(fileTypes), {
    default: ['jpg'],
    description: 'The kinds of files, of which one is drawn for each.',
  }),
  post_parent: Object.assign(t.listOrOne(t.integer()), {
    default: 0,
    description: 'What they are attached to: a record, or one of several.',
  }),
  author_ids: numbers('Whose they are: one of these people.'),
  generate_alt_text: isWanted('Whether they are described to those who do not see them.'),
  generate_caption: isWanted('Whether something stands below them.'),
  generate_description: isWanted('Whether it is told what they are.'),
  date_range: t.optional(t.object({ min: day(), max: day() }, { description: 'The days on which they were added.' })),
};

export type AttachmentArgs = { readonly [K in keyof typeof attachmentArgs]: Static<(typeof attachmentArgs)[K]> };
