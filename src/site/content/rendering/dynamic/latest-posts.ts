// The newest posts, with as much of each as somebody wants.
import type { Wanted } from '../../posts/post.ts';
import { category } from '../../types.ts';
import { live } from '../live.ts';
import { type Attributes, choiceOf, classOf, idsIn, isSet, textIn, wholeIn, worded } from './markup.ts';
import type { BlockNeeds } from './open-records.ts';
import { authorNames, most as mostOf } from './open-records.ts';
import { pictureHtml, type Shown, shownPictures, sizeIn } from './pictures.ts';
import { siteNow, type Told } from './site-now.ts';

interface Entry {
  readonly url: string;
  readonly title: string;
  readonly author?: string | undefined;
  readonly date?: Told | undefined;
  readonly picture?: Shown | undefined;
  readonly excerpt?: string | undefined;
}

const most = { posts: 100, named: 100, columns: 6, lists: 20 };

/** So many of the newest may be closed by a password, and the list is still as long as it should be. */
const closed = 100;

/** What the list is found by. */
const read = [
  'order',
  'orderBy',
  'categories',
  'selectedAuthor',
  'postsToShow',
  'displayAuthor',
  'displayPostContent',
  'displayPostDate',
  'displayFeaturedImage',
  'excerptLength',
  'featuredImageSizeSlug',
];

export const latestPosts = (needs: BlockNeeds) =>
  live<readonly Entry[]>({
    rests: ['posts', 'terms', 'post_terms', 'users', 'media', 'settings'],
    most: most.lists,
    reads: read,
    async find({ attributes }) {
      const { items } = await needs.posts.listVersions(wantedBy(attributes));
      const ids = items.map(({ id }) => id);
      const records = (await needs.records.some(ids)).slice(0, limitOf(attributes));
      const shown = records.map(({ id }) => id);
      const [now, links, names, excerpts, pictures] = await Promise.all([
        siteNow(needs),
        needs.permalinks.of(records),
        authorNames(needs, isSet(attributes.displayAuthor) ? records : []),
        needs.records.excerpts(isSet(attributes.displayPostContent) ? shown : [], wordsOf(attributes)),
        shownPictures(needs, picturedBy(attributes, records), sizeOf(attributes)),
      ]);
      return records.map((record) => ({
        url: links.get(record.id) ?? '',
        title: record.title,
        author: names.get(record.author),
        date: isSet(attributes.displayPostDate) ? now.told(record) : undefined,
        picture: pictures.get(record.featured_media),
        excerpt: excerpts.get(record.id),
      }));
    },
    write({ attributes }, entries) {
      const classes = classOf('latest-posts', attributes, 'wp-block-latest-posts__list', ...looks(attributes));
      return `<ul${classes}>${entries.map((entry) => `<li>${item(entry, attributes)}</li>\n`).join('')}</ul>`;
    },
  });

const limitOf = ({ postsToShow }: Attributes): number => wholeIn(postsToShow, [1, most.posts], 5);
const wordsOf = ({ excerptLength }: Attributes): number => wholeIn(excerptLength, [1, mostOf.words], 55);
const sizeOf = ({ featuredImageSizeSlug }: Attributes): string => sizeIn(textIn(featuredImageSizeSlug), 'thumbnail');

const picturedBy = (attributes: Attributes, records: readonly { featured_media: number }[]): number[] =>
  isSet(attributes.displayFeaturedImage) ? records.map(({ featured_media }) => featured_media) : [];

function wantedBy({ order, orderBy, categories, selectedAuthor, ...attributes }: Attributes): Wanted {
  const terms = idsIn(categories ?? [], most.named);
  const authors = idsIn(selectedAuthor, 1);
  return {
    types: ['post'],
    statuses: ['publish'],
    offset: 0,
    limit: limitOf(attributes) + closed,
    order: choiceOf(order, ['desc', 'asc']),
    orderBy: choiceOf(orderBy, ['date', 'title', 'modified']),
    ...(authors.length > 0 && { authors }),
    ...(terms.length > 0 && {
      terms: [{ taxonomy: category.name, terms, children: false, operator: 'OR', exclude: false }],
    }),
  };
}

const looks = ({ postLayout, columns, displayPostDate, displayAuthor }: Attributes): (string | false)[] => [
  postLayout === 'grid' && 'is-grid',
  postLayout === 'grid' && `columns-${wholeIn(columns, [1, most.columns], 3)}`,
  isSet(displayPostDate) && 'has-dates',
  isSet(displayAuthor) && 'has-author',
];

function item({ url, title, author, date, picture, excerpt }: Entry, attributes: Attributes): string {
  const name = 'wp-block-latest-posts__';
  const address = worded(url);
  return [
    picture !== undefined && featured(picture, address, attributes),
    `<a class="${name}post-title" href="${address}">${title}</a>`,
    author !== undefined && `<div class="${name}post-author">by ${worded(author)}</div>`,
    date !== undefined && `<time datetime="${date.exact}" class="${name}post-date">${worded(date.said)}</time>`,
    excerpt !== undefined && `<div class="${name}post-excerpt">${excerpt}</div>`,
  ]
    .filter((part) => part !== false)
    .join('');
}

function featured(picture: Shown, address: string, attributes: Attributes): string {
  const side = choiceOf(attributes.featuredImageAlign, ['', 'left', 'center', 'right']);
  const size = sizeOf(attributes);
  const img = pictureHtml(picture, `attachment-${size} size-${size} wp-post-image`);
  const inner = isSet(attributes.addLinkToFeaturedImage) ? `<a href="${address}">${img}</a>` : img;
  return `<div class="wp-block-latest-posts__featured-image${side && ` align${side}`}">${inner}</div>`;
}
