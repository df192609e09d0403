// The modules held against those of an established service: what clients know from there, they find here.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { type Differing, ofRecords, ofSettings, ownSettings } from '../../../test/contract/accepted-suite-modules.ts';
import type { Module } from './module.ts';
import { modulesOn } from './parts.ts';

type Json = Record<string, unknown>;

interface Exchange {
  readonly name: string;
  readonly response: { readonly json: unknown };
}

const file = new URL('../../../test/spec/recorded/secsuite/modules-settings.json', import.meta.url);
const exchanges = JSON.parse(readFileSync(file, 'utf8')) as Exchange[];

/** Names of there that are others here. */
const renamed: readonly (readonly [there: string, here: string])[] = [
  ['wordpress-salts', 'core-salts'],
  ['wordpress-tweaks', 'core-tweaks'],
  ['wordpress_automatic_updates', 'core_automatic_updates'],
  ['scan_for_old_wordpress_sites', 'scan_for_old_sites'],
];

function read(name: string): unknown {
  const text = JSON.stringify(exchanges.find((exchange) => exchange.name === name)!.response.json);
  return JSON.parse(renamed.reduce((now, [there, here]) => now.replaceAll(`"${there}"`, `"${here}"`), text));
}

const recordedModules = read('modules') as Json[];
const recordedSettings = read('settings all') as Record<string, Json>;

const modules = modulesOn({ data: '/srv/gatehouse' });
const visible = modules.filter((module) => module.extends === undefined);

/** The settings, conditions and groups of what is added to a module count as that module's. */
function whole(module: Module) {
  const parts = [module, ...modules.filter((one) => one.extends === module.id)];
  const merged = (of: (part: Module) => object | undefined): Json => Object.assign({}, ...parts.map(of)) as Json;
  return {
    groups: merged((part) => part.userGroups),
    properties: merged((part) => part.settings?.schema.properties),
    conditional: merged((part) => part.settings?.conditional),
    readonly: parts.flatMap((part) => part.settings?.readonly ?? []),
  };
}

/** What the interface says of a module whatever the state of the site is. */
function recordOf(module: Module): Json {
  const { groups, properties, conditional, readonly } = whole(module);
  const { settings } = module;
  const aside = [...readonly, ...(settings?.deprecated ?? [])];
  const interactive = Object.keys(properties).filter((name) => !aside.includes(name));
  return {
    id: module.id,
    type: module.type,
    status: { default: module.standing },
    order: module.order ?? 10,
    onboard: module.onboard ?? false,
    side_effects: module.sideEffects ?? false,
    keywords: module.keywords ?? [],
    hasHelp: module.help !== undefined,
    requirements: module.requirements ?? {},
    user_groups: Object.fromEntries(
      Object.entries(groups).map(([name, group]) => [name, { type: 'multiple', ...(group as Json) }]),
    ),
    password_requirements: module.passwordRequirements ?? {},
    tools: module.tools ?? {},
    ...(settings && {
      settings: {
        show_ui: interactive.length > 0,
        schema: { ...settings.schema, properties },
        conditional,
        interactive,
        deprecated: settings.deprecated ?? [],
        onboard: settings.onboard ?? [],
        import: settings.import ?? [],
      },
    }),
  };
}

/** What was said there, without its state. Nothing was removed here that had been there before, and an id is put in when it is shown. */
function known({ status, help, title, description, _links, settings, ...rest }: Json): Json {
  const { removed, schema, ...card } = (settings ?? {}) as Json;
  const { id, ...said } = (schema ?? {}) as Json;
  const shown = settings === undefined ? {} : { settings: { ...card, schema: said } };
  return { ...rest, ...shown, status: { default: (status as Json).default }, hasHelp: help !== '' };
}

const texts = ['title', 'description', 'help', 'button', '$schema'];
const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;
const placeholders: unknown[] = ['(text)', '/path', 'error'];

/** Every leaf by its path; of texts there is nothing to compare, and of names only how many there are. */
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  if (isEmpty(value)) return [];
  const said = value as Json;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || Array.isArray(item)))
    return [[path, value.map((item) => JSON.stringify(item)).sort()]];
  return Object.entries(said).flatMap(([name, member]): [string, unknown][] => {
    if (texts.includes(name) && typeof member !== 'object') return [];
    if (name === 'ui:enumDescriptions') return [];
    if (name === 'enumNames') return [[`${path}.enumNames`, (member as unknown[]).length]];
    return leaves(member, path === '' ? name : `${path}.${name}`);
  });
}

/** Paths that are in one of them only, or differ. */
function differences(there: unknown, here: unknown): string[] {
  const [before, now] = [new Map(leaves(there)), new Map(leaves(here))];
  const paths = [...new Set([...before.keys(), ...now.keys()])];
  return paths.filter((path) => {
    const [was, is] = [before.get(path), now.get(path)];
    if (placeholders.includes(was) && typeof is === 'string') return false;
    try {
      assert.deepEqual(is, was);
      return false;
    } catch {
      return true;
    }
  });
}

/** Where it differs that is not meant, and what is said to differ and does not. */
function surprises(found: readonly string[], meant: Differing[string] = []): string[] {
  const isAt = (path: string, place: string): boolean => path === place || path.startsWith(`${place}.`);
  const unmeant = found.filter((path) => !meant.some(([place]) => isAt(path, place)));
  const idle = meant.filter(([place]) => !found.some((path) => isAt(path, place)));
  return [...unmeant, ...idle.map(([place]) => `${place} no longer differs`)];
}

describe('What is said of a module is what an established service says', () => {
  const recorded = visible.filter((module) => recordedModules.some(({ id }) => id === module.id));
  it('of each that was recorded', () =>
    checkRows(
      recorded.map(({ id }) => id),
      (id) => {
        const module = visible.find((one) => one.id === id)!;
        const there = recordedModules.find((one) => one.id === id)!;
        assert.deepEqual(surprises(differences(known(there), recordOf(module)), ofRecords[id]), []);
      },
    ));

  it('of all but those that sell or tell which edition it is', () => {
    const left = recordedModules.map(({ id }) => id).filter((id) => !modules.some((module) => module.id === id));
    assert.deepEqual(left, ['promos', 'sync-connect', 'pro', 'pro-dashboard']);
  });

  it('in the order of the established service, with those that are new after them', () => {
    const here = visible.map(({ id }) => id);
    const there = recordedModules.map(({ id }) => id).filter((id) => here.some((one) => one === id));
    assert.deepEqual(here.slice(0, there.length), there);
  });
});

describe('The settings of a module are those of an established service', () => {
  const withSettings = visible.filter(({ settings }) => settings !== undefined);
  const recorded = withSettings.filter(({ id }) => recordedSettings[id] !== undefined);
  it('of each that was recorded', () =>
    checkRows(
      recorded.map(({ id }) => id),
      (id) => {
        const there = recordedSettings[id]!;
        const module = recorded.find((one) => one.id === id)!;
        const here = whole(module).properties as Record<string, { default: unknown }>;
        const all = [...Object.keys(there), ...(ownSettings[id] ?? [])];
        assert.deepEqual(Object.keys(here).sort(), all.sort());
        const defaults = Object.fromEntries(Object.entries(here).map(([name, schema]) => [name, schema.default]));
        assert.deepEqual(surprises(differences(there, defaults), ofSettings[id]), []);
      },
    ));

  it('of all but those that have none here, or are shown with what they belong to', () => {
    const left = Object.keys(recordedSettings).filter((id) => !withSettings.some((module) => module.id === id));
    assert.deepEqual(left, ['pro-two-factor', 'dashboard-widget', 'online-files']);
  });
});
