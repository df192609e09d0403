// What is on for a group: whether the settings of the modules list it, and how that is changed.
import { Problem } from '#kernel/problem.ts';
import type { Behalf } from '../behalf.ts';
import { type ListedModule, listIn, withListed } from './listed.ts';
import { everybodyElse, type Matchables } from './matchables.ts';

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
  /** A new group begins with what is on for everybody else. */
  inherit(id: string, behalf: Behalf): Promise<void>;
}

interface Needs {
  /** The settings that list groups, of the modules that run now. */
  listed(): readonly ListedModule[];
  readonly settings: {
    of(module: string): Values;
    /** Made of what is kept at that moment, so that two changes at once lose nothing. */
    overlay(module: string, sent: (before: Values) => Values, behalf: Behalf): Promise<unknown>;
  };
  readonly matchables: Pick<Matchables, 'ids' | 'has'>;
}

export function createMatchableSettings({ listed, settings, matchables }: Needs): MatchableSettings {
  const of = (id: string): Switched => {
    if (!matchables.has(id)) throw noGroup();
    const modules = listed().map(({ id: module, settings: all }) => {
      const values = settings.of(module);
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

  const change = async (id: string, said: Values, behalf: Behalf): Promise<Switched> => {
    const before = of(id);
    const touched = inOrderOfRefusal(listed()).filter((module) => {
      const values = settings.of(module.id);
      return isSaid(said[module.id]) && applied(module, id, said[module.id])(values) !== values;
    });
    const done: ListedModule[] = [];
    try {
      for (const module of touched) {
        await settings.overlay(module.id, onlyChanged(applied(module, id, said[module.id])), behalf);
        done.push(module);
      }
    } catch (error) {
      for (const module of done.reverse())
        await settings.overlay(module.id, onlyChanged(applied(module, id, before[module.id])), {
          caller: behalf.caller,
        });
      throw error;
    }
    return of(id);
  };

  return {
    of,
    list: (include) =>
      Object.fromEntries(
        matchables.ids.filter((id) => include === undefined || include.includes(id)).map((id) => [id, of(id)]),
      ),
    change,
    async inherit(id, behalf) {
      const theirs = Object.entries(of(everybodyElse)).map(([module, all]) => [
        module,
        Object.fromEntries(Object.entries(all).filter(([, isOn]) => isOn)),
      ]);
      await change(id, Object.fromEntries(theirs), behalf);
    },
  };
}

const noGroup = () => new Problem(404, 'rest_user_group_not_found', 'There is no group of users with this id.');

const isSaid = (said: unknown): boolean => typeof said === 'object' && said !== null;

/** Who manages comes first: only that may be refused for what it says, and then nothing else has to be put back. */
const inOrderOfRefusal = (modules: readonly ListedModule[]): ListedModule[] =>
  modules.toSorted((one, other) => Number(other.id === 'global') - Number(one.id === 'global'));

/** What lies over the settings is what differs from them. */
const onlyChanged =
  (change: (before: Values) => Values) =>
  (before: Values): Values =>
    Object.fromEntries(Object.entries(change(before)).filter(([name, value]) => value !== before[name]));
