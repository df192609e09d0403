// Filling a site: what is made, in which order, and what of it belongs together.
import { category, tag } from '#site/content/types.ts';
import type { Maker } from '../../extensions/test-data/generator.ts';
import type { TestData } from '../../extensions/test-data/test-data.ts';
import type { Wanted } from './wanted.ts';

interface Step {
  /** What people call it. */
  readonly name: string;
  readonly kind: string;
  /** Its part of all that is made of this kind: so no two parts are drawn alike. */
  readonly part: readonly [from: number, to: number];
  /** `made`: the numbers of what the steps before have made, by name. */
  args(made: Readonly<Made>): object;
}

/** The numbers of what was made, by what people call it. */
export type Made = Record<string, readonly number[]>;

interface Filling {
  readonly seed: string;
  readonly maker: Maker;
  /** The role of the people. */
  readonly role: string;
  /** Where the pictures come from. */
  readonly provider: 'placeholder' | 'lorempicsum';
  readonly signal: AbortSignal;
  /** Filled as it goes, so that what was made is known whatever stops it. */
  readonly made: Made;
  /** `done` of 1. */
  tell(name: string, done: number): void;
}

const picture = {
  width: 1_200,
  aspect_ratio: 1.5,
  file_types: ['jpg'],
  post_parent: 0,
  generate_alt_text: true,
  generate_caption: true,
  generate_description: true,
};

function stepsFor(wanted: Wanted, { role, provider }: Pick<Filling, 'role' | 'provider'>): Step[] {
  const { terms, users, media, pages, posts, comments } = wanted;
  const categories = Math.ceil(terms / 3);
  const decided = comments - Math.floor(comments / 10);
  const published = { post_status: 'publish' };
  return [
    { name: 'categories', kind: 'terms', part: [0, categories], args: () => ({ taxonomy: category.name }) },
    { name: 'tags', kind: 'terms', part: [categories, terms], args: () => ({ taxonomy: tag.name }) },
    { name: 'users', kind: 'users', part: [0, users], args: () => ({ role }) },
    {
      name: 'pictures',
      kind: 'attachments',
      part: [0, media],
      args: (made) => ({ ...picture, provider, author_ids: made.users }),
    },
    {
      name: 'posts',
      kind: 'posts',
      part: [0, posts],
      args: (made) => ({ post_type: 'post', ...published, author_ids: made.users, featured_ids: made.pictures }),
    },
    {
      name: 'pages',
      kind: 'posts',
      part: [posts, posts + pages],
      args: () => ({ post_type: 'page', ...published }),
    },
    {
      name: 'comments',
      kind: 'comments',
      part: [0, decided],
      args: (made) => ({ post_ids: made.posts, comment_status: 'approve' }),
    },
    {
      name: 'comments',
      kind: 'comments',
      part: [decided, comments],
      args: (made) => ({ post_ids: made.posts, comment_status: 'hold' }),
    },
  ];
}

/** What stops it leaves whole parts, all of them marked. */
export async function fill({ orders }: TestData, wanted: Wanted, filling: Filling): Promise<void> {
  const { seed, maker, signal, made, tell } = filling;
  const all = Object.values(wanted).reduce((sum, many) => sum + many, 0);
  let done = 0;
  for (const { name, kind, part, args } of stepsFor(wanted, filling)) {
    const [from, total] = part;
    made[name] ??= [];
    for (let offset = from; offset < total; ) {
      signal.throwIfAborted();
      tell(name, done / all);
      const { data } = await orders.generate(kind, { ...args(made), seed, offset, total }, maker);
      made[name] = [...made[name], ...data.ids];
      const reached = data.offset ?? total;
      done += reached - offset;
      offset = reached;
    }
  }
}
