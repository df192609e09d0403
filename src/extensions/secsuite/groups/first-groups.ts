// The groups of a site that is set up by its deployment: one for each step of what roles may, with what is usually on for it. Who
// manages stays as it is: whoever runs the site.

import type { Settings } from '../settings/types.ts';
import { type Canonical, canonicalNames } from './canonical.ts';
import { everybodyElse, type Groups } from './groups.ts';
import { type ListedModule, type ListedSetting, withListed } from './listed.ts';

type Values = Readonly<Record<string, unknown>>;

interface Needs {
  readonly groups: Pick<Groups, 'add' | 'ids'>;
  readonly settings: Pick<Settings, 'keep' | 'keepValues'>;
  /** The settings that list groups, of all modules, whether they run or not. */
  readonly listed: readonly ListedModule[];
  unique(): string;
}

const labels: Readonly<Record<Canonical, string>> = {
  administrator: 'Administrators',
  editor: 'Editors',
  author: 'Authors',
  contributor: 'Contributors',
  subscriber: 'Subscribers',
};

type Ids = Readonly<Record<Canonical, string>>;

/** Once for a site: of several processes that begin with it, one does. Where somebody has made groups, nothing is added to them. */
export async function makeFirstGroups({ groups, settings, listed, unique }: Needs): Promise<void> {
  if (groups.ids.length > 0) return;
  const ids = Object.fromEntries(canonicalNames.map((name) => [name, unique()])) as Ids;
  if (!(await isFirst(settings, ids))) return;
  for (const name of canonicalNames) await made(groups, name, ids[name]);
  for (const module of listed) {
    const wanted = module.settings.filter(({ name }) => name !== 'manage_group');
    if (wanted.some(({ usually }) => usually.length > 0))
      await settings.keepValues(module.id, (before) => wanted.reduce((values, one) => usual(values, one, ids), before));
  }
}

/** Whoever is, has kept which groups these are. */
async function isFirst(settings: Needs['settings'], ids: Ids): Promise<boolean> {
  let first = false;
  await settings.keep('user-groups', (before) => {
    first = Object.keys(before.default_groups).length === 0;
    return first ? { default_groups: ids } : {};
  });
  return first;
}

async function made(groups: Pick<Groups, 'add'>, name: Canonical, id: string): Promise<void> {
  await groups.add({ id, label: labels[name], canonical: [name] }, undefined, true);
}

const usual = (before: Values, setting: ListedSetting, ids: Ids): Values => {
  const all = setting.usually === 'all';
  const lists = all ? [...canonicalNames.map((name) => ids[name]), everybodyElse] : [];
  const named = all ? [] : canonicalNames.filter((name) => setting.usually.includes(name)).map((name) => ids[name]);
  return [...lists, ...named].reduce((values, id) => withListed(values, setting, id, true), before);
};
