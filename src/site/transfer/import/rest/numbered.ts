// What is pointed at by number: asked for when it is wanted, many at once, and remembered as long as there is room.
import { Problem } from '#kernel/problem.ts';
import { Lru } from '#lib/lru.ts';
import { Upstream } from '../../../outgoing/outgoing.ts';
import { inLots } from '../run.ts';
import { isObject, numberOf, type Shown } from './shown.ts';
import type { Args, Source } from './source.ts';

export interface Numbered<T> {
  /** One that was read already. */
  set(id: number, value: T): void;
  /** Those of them that there are. */
  some(ids: readonly number[]): Promise<ReadonlyMap<number, T>>;
}

const most = { remembered: 20_000, atOnce: 100 };

export function createNumbered<T>(
  source: Pick<Source, 'get'>,
  { route, args, read }: { readonly route: string; readonly args: Args; readonly read: (record: Shown) => T },
): Numbered<T> {
  // Also what is not shown: it is not asked for again.
  const known = new Lru<number, { readonly value?: T }>(most.remembered);

  const ask = async (ids: readonly number[]): Promise<Map<number, T>> => {
    const { body } = await source.get(route, { ...args, include: ids.join(','), per_page: ids.length });
    const records = Array.isArray(body) ? body.filter(isObject) : [];
    return new Map(records.map((record) => [numberOf(record), read(record)]));
  };
  return {
    set: (id, value) => known.set(id, { value }),
    async some(ids) {
      const wanted = [...new Set(ids)].filter((id) => id > 0);
      const found = new Map(wanted.flatMap((id) => entryOf(id, known.get(id))));
      const lacking = wanted.filter((id) => !found.has(id));
      for (const lot of inLots(lacking, most.atOnce)) {
        const asked = await ask(lot).catch(unseen<T>);
        for (const id of lot) {
          const value = asked.get(id);
          known.set(id, value === undefined ? {} : { value });
          found.set(id, value);
        }
      }
      return new Map([...found].flatMap(([id, value]) => (value === undefined ? [] : [[id, value] as const])));
    },
  };
}

const entryOf = <T>(id: number, entry: { readonly value?: T } | undefined): [number, T | undefined][] =>
  entry === undefined ? [] : [[id, entry.value]];

/** Not everybody is shown who there is, and what cannot be read is not seen either. */
function unseen<T>(error: unknown): Map<number, T> {
  if (isHidden(error) || (error instanceof Problem && error.code === 'malformed')) return new Map();
  throw error;
}

export const isHidden = (error: unknown): error is Upstream =>
  error instanceof Upstream && [400, 401, 403, 404, 405, 410, 501].includes(error.status ?? 0);
