// A menu as blocks: ways, and ways below them.
import { unmarked } from '../../../content/marks.ts';
import type { Entry } from './items.ts';

/** What an entry's block says. */
export type Way = Readonly<Record<string, string | number | boolean>>;

/** Deeper menus nobody makes; what lies deeper stands there. */
const deepest = 30;

/** `ways`: what is no way is left out, and what lies below it moves up. */
export function blocksOf(entries: readonly Entry[], ways: ReadonlyMap<Entry, Way>): string {
  const ids = new Set(entries.map(({ id }) => id));
  const sorted = [...entries].sort((one, other) => one.order - other.order || one.id - other.id);
  const below = Map.groupBy(sorted, ({ id, parent }) => (parent !== id && ids.has(parent) ? parent : 0));
  const written = new Set<Entry>();
  const write = (entry: Entry, depth: number): string[] => {
    if (written.has(entry)) return [];
    written.add(entry);
    const inner =
      entry.id === 0 || depth > deepest ? [] : (below.get(entry.id) ?? []).flatMap((one) => write(one, depth + 1));
    const way = ways.get(entry);
    return way === undefined ? inner : [blockOf(way, inner)];
  };
  const top = (below.get(0) ?? []).flatMap((entry) => write(entry, 1));
  // Those that lie below themselves, or too deep.
  return [...top, ...sorted.flatMap((entry) => write(entry, 1))].join('\n');
}

function blockOf(way: Way, inner: readonly string[]): string {
  const said = unmarked(JSON.stringify(way));
  if (inner.length === 0) return `<!-- wp:navigation-link ${said} /-->`;
  return `<!-- wp:navigation-submenu ${said} -->\n${inner.join('\n')}\n<!-- /wp:navigation-submenu -->`;
}
