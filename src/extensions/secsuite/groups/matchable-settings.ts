// What is on for a group: whether the settings of the modules list it, and how that is changed.
import type { Behalf } from '../base.ts';
import { suiteErrors } from '../errors.ts';
import type { Settings } from '../settings/types.ts';
import { everybodyElse, type Matchables } from './groups.ts';
import { type ListedModule, listIn, withListed } from './listed.ts';

type Values = Readonly<Record<string, unknown>>;
/** By module and setting. */
export type Switched = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

export interface MatchableSettings {
  /** Refuses what is no group. */
  of(id: string): Switched;
  /** By id, of all or of these; what is no group is left out. */
  list(include?: readonly string[]): Record<string, Switched>;
  /** All of it or none; what is not said stays as it is. */
  change(id: string, said: Values, behalf: Behalf): Promise<Switched>;
  /** A new group begins with what is on for everybody else. Whoever made it is not asked: they may have been of those, and are no more. */
  inherit(id: string): Promise<void>;
}

interface Needs {
  /** The settings that list groups, of the modules that run now. */
  listed(): readonly ListedModule[];
  readonly settings: Pick<Settings, 'shown' | 'keepValues' | 'overlayAll'>;
  readonly matchables: Pick<Matchables, 'ids' | 'has'>;
}

export function createMatchableSettings({ listed, settings, matchables }: Needs): MatchableSettings {
  const of = (id: string): Switched => {
    if (!matchables.has(id)) throw suiteErrors.userGroupNotFound(id);
    const modules = listed().map(({ id: module, settings: all }) => {
      const values = settings.shown(module);
      return [module, Object.fromEntries(all.map((one) => [one.name, listIn(values, one).includes(id)]))] as const;
    });
    return Object.fromEntries(modules);
  };

  /** As the settings of one module have to be for that. */
  const applied =
    ({ settings: all }: ListedModule, id: string, said: unknown) =>
    (before: Values) =>
      all.reduce((values, setting) => {
        const isOn = (said as Values)[setting.name];
        return typeof isOn === 'boolean' ? withListed(values, setting, id, isOn) : values;
      }, before);

  return {
    of,
    list: (include) =>
      Object.fromEntries(
        matchables.ids.filter((id) => include === undefined || include.includes(id)).map((id) => [id, of(id)]),
      ),
    async change(id, said, behalf) {
      of(id);
      const touched = listed().filter((module) => isSaid(said[module.id]));
      const changes = touched.map((module) => [module.id, onlyChanged(applied(module, id, said[module.id]))] as const);
      if (changes.length > 0) await settings.overlayAll(new Map(changes), behalf);
      return of(id);
    },
    async inherit(id) {
      for (const { id: module, settings: all } of listed()) {
        const theirs = (before: Values) => all.filter((one) => listIn(before, one).includes(everybodyElse));
        await settings.keepValues(module, (before) =>
          theirs(before).reduce((values, one) => withListed(values, one, id, true), before),
        );
      }
    },
  };
}

const isSaid = (said: unknown): boolean => typeof said === 'object' && said !== null;

/** What lies over the settings is what differs from them. */
const onlyChanged =
  (change: (before: Values) => Values) =>
  (before: Values): Values =>
    Object.fromEntries(Object.entries(change(before)).filter(([name, value]) => value !== before[name]));
