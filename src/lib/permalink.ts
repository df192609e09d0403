// How the address of a post is put together from its date, its number and its slug, and how those of other things begin.

export interface Addresses {
  /** As `structureOf` reads it: `/%year%/%monthnum%/%day%/%postname%/`. */
  readonly post: string;
  /** What stands before the slugs of categories, of tags, of formats and of authors. */
  readonly category: string;
  readonly tag: string;
  readonly format: string;
  readonly author: string;
}

export const usualAddresses: Addresses = {
  post: '/%year%/%monthnum%/%day%/%postname%/',
  category: 'category',
  tag: 'tag',
  format: 'type',
  author: 'author',
};

export interface Structure {
  /** Without a stroke before it. */
  pathOf(post: { readonly id: number; readonly date: string }, slug: string): string;
  /** What the parts of a path say of a post, and what stands after them; nothing, where they are no such path. */
  read(parts: readonly string[]): Read | undefined;
  /** Whether pages have such addresses too. */
  readonly isLikePages: boolean;
  /** Whether they tell the number of a post. */
  readonly isNumbered: boolean;
}

interface Read {
  readonly id?: number;
  readonly slug?: string;
  /** The path of the post itself. */
  readonly path: string;
  readonly below: readonly string[];
}

/** Where they stand in `2026-11-20T12:00:00`. */
const times: Readonly<Record<string, readonly [from: number, to: number]>> = {
  year: [0, 4],
  monthnum: [5, 7],
  day: [8, 10],
  hour: [11, 13],
  minute: [14, 16],
  second: [17, 19],
};

const [slugName, idName] = ['postname', 'post_id'];
const placeholder = /%(\w*)%/g;

const isKnown = (name: string): boolean => name in times || name === slugName || name === idName;

/** Nothing, where posts would have no addresses of their own so. */
export function structureOf(text: string): Structure | undefined {
  const path = text.replace(/^\/+/, '');
  const parts = path.replace(/\/$/, '').split('/');
  const names = [...path.matchAll(placeholder)].map(([, name = '']) => name);
  const isPlain = parts.every((part) => /^[\w~-][\w.~-]*$/.test(part.replaceAll(placeholder, '0')));
  const tells = names.includes(slugName) || names.includes(idName);
  if (!isPlain || !tells || !names.every(isKnown) || new Set(names).size < names.length) return undefined;
  const patterns = parts.map(patternOf);
  const pieces = path.split(placeholder);
  return {
    isLikePages: path.startsWith(`%${slugName}%`),
    isNumbered: names.includes(idName),

    pathOf({ id, date }, slug) {
      let made = '';
      // Text and names of placeholders in turn.
      for (const [at, piece] of pieces.entries()) {
        const [from, to] = times[piece] ?? [];
        if (at % 2 === 0) made += piece;
        else if (from !== undefined) made += date.slice(from, to);
        else made += piece === slugName ? slug : id;
      }
      return made;
    },

    read(asked) {
      const found = patterns.map((pattern, at) => pattern.exec(asked[at] ?? '')?.groups);
      if (found.some((groups) => groups === undefined)) return undefined;
      const { [slugName]: slug, [idName]: id }: Record<string, string | undefined> = Object.assign({}, ...found);
      return {
        ...(slug !== undefined && { slug }),
        ...(id !== undefined && { id: Number(id) }),
        path: asked.slice(0, parts.length).join('/'),
        below: asked.slice(parts.length),
      };
    },
  };
}

/** Each has the group `all`, so that there are always groups. */
function patternOf(part: string): RegExp {
  const pattern = part.replaceAll('.', '\\.').replaceAll(placeholder, (_, name: string) => {
    const [from, to] = times[name] ?? [];
    if (from !== undefined && to !== undefined) return `(?<${name}>\\d{${to - from}})`;
    return name === slugName ? `(?<${slugName}>.+)` : `(?<${idName}>\\d{1,15})`;
  });
  return new RegExp(`^(?<all>${pattern})$`, 'is');
}
