// What a record pointed at that was not here when everything else was: a later move may bring it, and then only that is mended, so
// that nothing is turned twice.
import { movedHome } from './addresses.ts';
import { type Turning, turned } from './references.ts';
import type { Run } from './run.ts';
import type { Pointing } from './turning.ts';

export interface Owed {
  readonly parent?: true | undefined;
  readonly picture?: true | undefined;
  /** Numbers there. */
  readonly numbers: readonly number[];
  /** What stands behind the address of the other site, in texts that have that of this one by now. */
  readonly paths: readonly string[];
  /** Files at other addresses. */
  readonly files?: true | undefined;
}

/** What is remembered of one record, and how long a path may be for that. */
const most = { numbers: 200, paths: 100, path: 300 };

export const readOwed = (kept: string | null): Owed | undefined =>
  kept === null ? undefined : (JSON.parse(kept) as Owed);

/** Nothing where nothing is owed. */
export function keptOwed(owed: Owed): string | null {
  const { parent, picture, numbers, paths, files } = owed;
  const isNothing = !parent && !picture && !files && numbers.length + paths.length === 0;
  return isNothing ? null : JSON.stringify({ parent, picture, numbers, paths, files } satisfies Partial<Owed> & object);
}

/** With the addresses that the other site gave, where what was there is owed. */
export function asThere(text: string, { options, needs }: Run, owed: Owed | undefined): string {
  if (owed === undefined || owed.paths.length === 0) return text;
  const paths = new Set(owed.paths);
  const address = (found: string): string | undefined => {
    const path = found.startsWith(needs.url) ? found.slice(needs.url.length) : '';
    return paths.has(path) ? options.from + path : undefined;
  };
  return turned(text, { address, number: () => undefined });
}

/** Numbers and addresses of this site were turned before, but for those that are owed. */
export function turningOf(turning: Turning, { options, needs }: Run, owed: Owed | undefined): Turning {
  if (owed === undefined) return turning;
  const [numbers, paths] = [new Set(owed.numbers), new Set(owed.paths)];
  const isOpen = (found: string): boolean =>
    !found.startsWith(needs.url) || paths.has(movedHome(found, options.from, '') ?? '');
  return {
    address: (found) => (isOpen(found) ? turning.address(found) : undefined),
    number: (id) => (numbers.has(id) ? turning.number(id) : undefined),
  };
}

const file = /^https?:\/\/[^/]+\/[^?#]*\.[a-z\d]{2,5}(?:[?#.,;:!]|$)/i;

/** What these texts still lack. Of a site without an address nothing is, for nobody would know it again. */
export function lackingIn(texts: readonly string[], { options }: Run, turning: Pointing, before?: Owed): Owed {
  const numbers = new Set<number>();
  const taken = new Set<number>();
  const paths = new Set<string>();
  let files = false as boolean;
  const looking: Turning = {
    number(id) {
      if (!turning.isHere(id)) numbers.add(id);
      else taken.add(turning.number(id) ?? id);
      return undefined;
    },
    address(found) {
      if (!options.rewrite || turning.isHere(found)) return undefined;
      const path = movedHome(found, options.from, '');
      if (path === undefined) files ||= file.test(found);
      else if (path !== '' && path !== '/' && path.length <= most.path) paths.add(path);
      return undefined;
    },
  };
  if (options.from !== '') for (const text of texts) turned(text, looking);
  // One that another has by now could be either.
  const open = [...numbers].filter((id) => !taken.has(id) && (before?.numbers.includes(id) ?? true));
  return {
    numbers: open.slice(0, most.numbers),
    paths: [...paths].slice(0, most.paths),
    ...(files && { files: true }),
  };
}
