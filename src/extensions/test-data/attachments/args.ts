// What may be said of pictures that are made as test data.
import { type Static, t } from '#kernel/schema.ts';
import { numbers } from '../arguments.ts';

export const fileTypes = ['jpg', 'jpeg', 'png', 'gif', 'webp'] as const;
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
