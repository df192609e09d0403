// The pages of the site as a tree, as far as anybody wants to see of it at once.
import { readText } from '#lib/html-tokens.ts';
import type { Ground } from './needs.ts';

export interface Branch {
  readonly title: string;
  readonly url: string;
  readonly below: readonly Branch[];
}

const most = { top: 12, below: 40 };
const columns = ['id', 'type', 'status', 'slug', 'date', 'parent', 'menu_order', 'title'] as const;

/** Those that everybody may see and no password closes, and those right below them. */
export async function pagesBelow(ground: Ground, parent: number): Promise<Branch[]> {
  const first = await rowsBelow(ground, [parent], most.top);
  const second = await rowsBelow(
    ground,
    first.map(({ id }) => id),
    most.below,
  );
  const links = await ground.content.permalinks.of([...first, ...second]);
  const branches = (rows: typeof first, under: (id: number) => readonly Branch[]): Branch[] =>
    rows.map(({ id, title }) => ({ title: titleOf(ground, title), url: links.get(id) ?? '', below: under(id) }));
  return branches(first, (id) =>
    branches(
      second.filter((row) => row.parent === id),
      () => [],
    ),
  );
}

const rowsBelow = async ({ store }: Ground, parents: readonly number[], limit: number) =>
  parents.length === 0
    ? []
    : await store.db
        .selectFrom('posts')
        .select(columns)
        .where('parent', 'in', parents)
        .where('type', '=', 'page')
        .where('status', '=', 'publish')
        .where('password', '=', '')
        .orderBy('menu_order')
        .orderBy('title_key')
        .orderBy('id')
        .limit(limit)
        .execute();

export const titleOf = ({ content }: Pick<Ground, 'content'>, title: string): string =>
  readText(content.rendering.title(title)).trim() || '(no title)';
