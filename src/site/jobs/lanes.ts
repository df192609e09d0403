// The kinds that are known, and how many jobs of which may still be begun here.
import type { Room } from './choosing.ts';
import { type Kind, refuseUnfitKind, UnfitJobs } from './job.ts';

export type AnyKind = Kind<unknown>;

export interface Lanes {
  add(kind: AnyKind): void;
  /** What runs of it goes on; nothing more of it is begun. */
  remove(kind: string): void;
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
  readonly kinds: readonly string[];
  readonly atOnce: number;
}

export function createLanes(): Lanes {
  const known = new Map<string, AnyKind>();
  const lanes = new Map<string, Group>();
  let isSite = true;
  const laneOf = ({ name, lane }: AnyKind): string => (lane ? `lane ${lane.name}` : `kind ${name}`);
  return {
    add(kind) {
      if (known.has(kind.name)) throw new UnfitJobs(`The job kind ${kind.name} is declared twice.`);
      const name = laneOf(kind);
      refuseUnfitKind(kind, lanes.get(name)?.atOnce);
      known.set(kind.name, kind);
      const group = lanes.get(name) ?? { kinds: [], atOnce: kind.lane?.atOnce ?? usualPlaces };
      lanes.set(name, { ...group, kinds: [...group.kinds, kind.name] });
    },
    remove(name) {
      const kind = known.get(name);
      if (kind === undefined) return;
      known.delete(name);
      const lane = laneOf(kind);
      const left = lanes.get(lane)!.kinds.filter((one) => one !== name);
      if (left.length === 0) lanes.delete(lane);
      else lanes.set(lane, { ...lanes.get(lane)!, kinds: left });
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
        const one = known.get(kind);
        if (one === undefined) continue; // it was switched off while this ran
        const name = laneOf(one);
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
