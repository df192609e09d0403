// The blocks that every site makes when they are shown. Those that show the text of another record stand in `including.ts`.
import type { Live } from '../live.ts';
import { archives } from './archives.ts';
import { footnotes } from './footnotes.ts';
import { latestComments } from './latest-comments.ts';
import { latestPosts } from './latest-posts.ts';
import { postDate, postExcerpt, postFeaturedImage, postTitle } from './of-record.ts';
import type { BlockNeeds } from './open-records.ts';
import { createOpenRecords, type RecordsNeeds } from './open-records.ts';
import { pageList } from './page-list.ts';
import { search } from './search.ts';
import { siteTitle } from './site-title.ts';
import { tagCloud } from './tag-cloud.ts';
import { termList } from './term-list.ts';

export function siteBlocks(given: RecordsNeeds): Record<string, Live> {
  const needs: BlockNeeds = { ...given, records: createOpenRecords(given) };
  return {
    'core/latest-posts': latestPosts(needs),
    'core/latest-comments': latestComments(needs),
    'core/categories': termList(needs),
    'core/archives': archives(needs),
    'core/tag-cloud': tagCloud(needs),
    'core/search': search(needs),
    'core/page-list': pageList(needs),
    'core/post-title': postTitle(needs),
    'core/post-date': postDate(needs),
    'core/post-excerpt': postExcerpt(needs),
    'core/post-featured-image': postFeaturedImage(needs),
    'core/site-title': siteTitle(needs),
    'core/footnotes': footnotes(needs),
  };
}
