// The kinds that are known, and how many jobs of which may still be begun here.
import type { Room } from './choosing.ts';
import type { Kind } from './job.ts';
import { refuseUnfitKind, UnfitJobs } from './unfit.ts';

export type AnyKind = Kind<unknown>;

export interface Lanes {
  add(kind: AnyKind): void;
  get(kind: string): AnyKind | undefined;
  /** Those that are done here. */
  readonly kinds: readonly string[];
  /** From now on, kinds are left alone that only a process does that serves the site. */
  leaveToSite(): void;
  /** Those with places left for kinds of which something is due. */
  rooms(running: Iterable<{ readonly kind: string }>, isDue: (kind: string) => boolean): Room[];
}

const usualPlaces = 4;

interface Group {
  readonly kinds: string[];
  readonly atOnce: number;
}

export function createLanes(): Lanes {
  const known = new Map<string, AnyKind>();
  const lanes = new Map<string, Group>();
  let isSite = true;
  const laneOf = ({ name, lane }: AnyKind): string => (lane ? `lane ${lane.name}` : `kind ${name}`);
  return {
    add(kind) {
      if (known.has(kind.name)) throw new UnfitJobs(`There are two kinds of jobs called ${kind.name}.`);
      const name = laneOf(kind);
      refuseUnfitKind(kind, lanes.get(name)?.atOnce);
      known.set(kind.name, kind);
      const group = lanes.get(name) ?? { kinds: [], atOnce: kind.lane?.atOnce ?? usualPlaces };
      group.kinds.push(kind.name);
      lanes.set(name, group);
    },
    get: (kind) => known.get(kind),
    get kinds() {
      return [...known.values()].filter(({ serving }) => isSite || !serving).map(({ name }) => name);
    },
    leaveToSite() {
      isSite = false;
    },
    rooms(running, isDue) {
      const busy = new Map<string, number>();
      for (const { kind } of running) {
        const name = laneOf(known.get(kind) as AnyKind);
        busy.set(name, (busy.get(name) ?? 0) + 1);
      }
      return [...lanes].flatMap(([name, { kinds, atOnce }]) => {
        const places = atOnce - (busy.get(name) ?? 0);
        const due = kinds.filter(isDue);
        return places > 0 && due.length > 0 ? [{ kinds: due, places }] : [];
      });
    },
  };
}
