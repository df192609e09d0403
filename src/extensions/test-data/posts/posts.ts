// Records that look as if somebody had written them, of any type that everybody may look at, but files.

import type { Faker } from '@faker-js/faker';
import { invalidParam } from '#kernel/errors.ts';
import { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Draws } from '#lib/draws.ts';
import { day } from '#lib/spans.ts';
import type { Zone } from '#lib/wall-time.ts';
import type { Content } from '#site/content/content.ts';
import type { MetaValues } from '#site/content/meta.ts';
import type { OneOfMany } from '#site/content/posts/post.ts';
import type { ContentTables } from '#site/content/tables.ts';
import { attachment, type ContentType, category, tag } from '#site/content/types.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Store } from '#store/store.ts';
import { wordFor } from '../called.ts';
import { testDataErrors } from '../errors.ts';
import { lineOf, momentBetween, openFake } from '../fake.ts';
import { authorsFor, type Generator, type Item, type Run, refuseOthers } from '../generator.ts';
import { madeMark, madeOf } from '../marks.ts';

export interface PostsWanted {
  readonly post_type: string;
  readonly post_status: string;
  readonly author_ids?: readonly number[];
  /** Each is shown with one of these pictures. */
  readonly featured_ids?: readonly number[];
}

interface Needs {
  readonly store: Store<ContentTables & IdentityTables>;
  readonly content: Pick<Content, 'kinds' | 'posts' | 'terms' | 'metaKeys' | 'writing' | 'zone'>;
}

/** What all records of a batch have in common. */
export interface Ground {
  readonly wanted: PostsWanted;
  readonly authors: readonly number[];
  readonly zone: Zone;
  readonly today: Date;
  /** Numbers of categories and tags; nothing, where the type has none. */
  readonly categories: readonly number[] | undefined;
  readonly tags: readonly number[] | undefined;
  readonly usual: number;
}

/** So many terms are chosen from. */
const mostTerms = 500;

export function createPosts({ store, content }: Needs): Generator<PostsWanted> {
  const { kinds, posts, terms, metaKeys, writing, zone } = content;

  const termsOf = async ({ taxonomies }: ContentType, taxonomy: string): Promise<number[] | undefined> => {
    if (!taxonomies.includes(taxonomy)) return undefined;
    const rows = store.db.selectFrom('terms').select('id').where('taxonomy', '=', taxonomy).orderBy('id');
    return (await rows.limit(mostTerms).execute()).map(({ id }) => id);
  };

  const groundOf = async (type: ContentType, wanted: PostsWanted, authors: readonly number[], { today }: Run) => {
    const categories = await termsOf(type, category.name);
    const usual = categories === undefined ? 0 : await terms.defaultCategory();
    return { wanted, authors, today, zone: await zone(), categories, tags: await termsOf(type, tag.name), usual };
  };

  /** What is registered is as it must be, or the record is not made. */
  const soundMeta = (type: string, meta: MetaValues, { skipped }: Run): MetaValues | undefined => {
    try {
      return { ...meta, ...metaKeys.settled(type, meta, writing.filter) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      skipped(error);
      return undefined;
    }
  };

  return {
    one: 'post',
    many: 'posts',
    most: 1_000,
    async demand(wanted, maker) {
      const type = demandType(kinds.type(wanted.post_type));
      const authors = await authorsFor(store.db, maker, type, wanted.author_ids);
      const judge = (asker: Asker): void => {
        if (!asker.can('publish_posts') || !asker.can(type.capabilities.publish)) throw notPublishing(type);
        refuseOthers(asker, type, authors);
      };
      judge(maker);
      return {
        base: type.base,
        type: type.name,
        called: { one: wordFor(type.name), many: `${wordFor(type.name)}s` },
        async make(items, run) {
          const fakeOf = await openFake();
          const ground = await groundOf(type, wanted, authors, run);
          const ready = items.map((item) => {
            const meta = soundMeta(type.name, item.meta, run);
            const drawn = draw(item, fakeOf(item.draws), ground);
            return (
              meta && { ...drawn, meta: { ...meta, [madeMark]: madeOf.posts({ modified_gmt: drawn.moment.utc }) } }
            );
          });
          const sound = ready.filter((one) => one !== undefined);
          if (sound.length === 0) return [];
          const made = await posts.addMany(type.name, sound, maker.doing(judge));
          const ids = new Map(made.map(({ id }, at) => [sound[at], id]));
          return ready.map((one) => ids.get(one));
        },
      };
    },
  };
}

function demandType(type: ContentType | undefined): ContentType {
  if (type?.viewable && !type.guarded && type.name !== attachment.name) return type;
  throw invalidParam('post_type', {
    code: 'rest_invalid_param',
    message: 'post_type must be the name of a public type other than attachment.',
  });
}

const notPublishing = ({ labels }: ContentType): Problem =>
  testDataErrors.insufficientPermissions(`publish this: ${labels}`);

type Fake = ReturnType<Awaited<ReturnType<typeof openFake>>>;

export function draw({ draws }: Item, fake: Fake, ground: Ground): Omit<OneOfMany, 'meta'> {
  const { wanted, authors, zone, today } = ground;
  const [from, to] = wanted.post_status === 'future' ? [1, 31] : [-30, 0];
  const inDays = (days: number): Date => new Date(today.getTime() + days * day);
  return {
    status: wanted.post_status,
    author: draws.pick(authors),
    title: titleOf(fake),
    content: contentOf(draws, fake),
    excerpt: excerptOf(draws, fake),
    moment: momentBetween(draws, zone, inDays(from!), inDays(to!)),
    comment_status: draws.pick(['open', 'closed']),
    ping_status: draws.pick(['open', 'closed']),
    terms: termsFor(draws, ground),
    featured_media: wanted.featured_ids?.length ? draws.pick(wanted.featured_ids) : undefined,
  };
}

function termsFor(draws: Item['draws'], { categories, tags, usual }: Ground): Record<string, readonly number[]> {
  const some = draws.chance(0.5) ? draws.picks(categories ?? [], draws.integer(1, 3)) : [];
  const tagged = draws.chance(0.45) ? draws.picks(tags ?? [], draws.integer(0, 15)) : [];
  return {
    ...(categories && { [category.name]: some.length > 0 ? some : [usual] }),
    ...(tags && { [tag.name]: tagged }),
  };
}

// The text of a generated post consists of blocks, as an editor writes them.

const titleOf = (fake: Faker): string => lineOf(fake, 4, 6);

const excerptOf = (draws: Draws, fake: Faker): string =>
  draws.chance(0.6) ? sentences(fake, draws.integer(1, 4), { min: 25, max: 75 }) : '';

/** 5 to 15 paragraphs, and sometimes something between them. */
function contentOf(draws: Draws, fake: Faker): string {
  const blocks: string[] = [];
  const paragraphs = draws.integer(5, 15);
  for (let nth = 0; nth < paragraphs; nth++) {
    if (nth > 0 && draws.chance(0.2)) blocks.push(draws.pick(others)(draws, fake));
    blocks.push(paragraph(fake));
  }
  return blocks.join('\n\n');
}

const sentences = (fake: Faker, many: number, words: { readonly min: number; readonly max: number }): string =>
  Array.from({ length: many }, () => fake.lorem.sentence(words)).join(' ');

const block = (name: string, html: string): string => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`;

const paragraph = (fake: Faker): string => block('paragraph', `<p>${fake.lorem.paragraph()}</p>`);

const heading = (_: Draws, fake: Faker): string =>
  block('heading', `<h2 class="wp-block-heading">${lineOf(fake, 3, 6)}</h2>`);

function list(draws: Draws, fake: Faker): string {
  const item = () => block('list-item', `<li>${lineOf(fake, 3, 9)}</li>`);
  const items = Array.from({ length: draws.integer(2, 6) }, item).join('\n\n');
  return block('list', `<ul class="wp-block-list">${items}</ul>`);
}

const quote = (_: Draws, fake: Faker): string =>
  block('quote', `<blockquote class="wp-block-quote">${paragraph(fake)}</blockquote>`);

const others = [heading, heading, list, quote];
