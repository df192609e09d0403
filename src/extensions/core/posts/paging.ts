// The page of a list that somebody asked for.
import { Problem } from '#kernel/problem.ts';
import type { Wanted } from '#site/content/posts/post.ts';
import type { Look } from './loading.ts';

export interface ListLook extends Look {
  /** How many records a page has: past the last one there is nothing. */
  readonly page: number;
  readonly perPage: number;
  /** Rows to leave out instead of pages. */
  readonly skips: boolean;
}

interface Listed<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

export function onPage<Row>(list: Listed<Row>, { offset }: Pick<Wanted, 'offset'>, look: ListLook): Listed<Row> {
  if (look.skips && offset >= list.total) return { items: [], total: 0 };
  if (list.total > 0 && look.page > Math.ceil(list.total / look.perPage)) throw noSuchPage();
  return list;
}

const noSuchPage = (): Problem => new Problem(400, 'rest_post_invalid_page_number', 'The list ends before this page.');
