// A deployment file: which namespaces in which order, what is active, who may do what, and the site's first settings.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { SiteSettings } from '#lib/site-settings.ts';
import { at, BadSetting, flag, known, object, oneOf, type Place, record, text, texts, wrong } from './check.ts';
import { siteSettings } from './site.ts';

export interface Role {
  readonly label: string;
  readonly capabilities: readonly string[];
}

export interface Deployment {
  /** `a`, `b`, `hub` or the file's name without `.json`: what people are shown. */
  readonly name: string;
  /** Where it was read from. */
  readonly path: string;
  /** The order of the index. Namespaces of inactive extensions keep their place. */
  readonly namespaces: readonly string[];
  /** Extensions by slug; one that is not named is inactive. */
  readonly extensions: Readonly<Record<string, boolean>>;
  /** Modules of extensions by id; one that is not named stands as it does by default. */
  readonly modules: Readonly<Record<string, boolean>>;
  /** Whether a new site begins with user groups, one for each step of what roles may. */
  readonly first_groups: boolean;
  readonly roles: Readonly<Record<string, Role>>;
  readonly index: { readonly gmt_offset: 'number' | 'string' };
  readonly settings: SiteSettings;
  /** Values for the table of settings, below the environment. */
  readonly server: Readonly<Record<string, string>>;
}

/** Extensions that may be named, with the namespaces each serves. */
export type Extensions = Readonly<Record<string, readonly string[]>>;

/** The names that a deployment file may use. */
export interface KnownNames {
  /** Those that are part of every site. */
  readonly namespaces: readonly string[];
  readonly extensions: Extensions;
  readonly modules: readonly string[];
}

const folder = join(import.meta.dirname, '../../deployments');

/** Those that come with the program, by their names. */
const shipped: readonly string[] = readdirSync(folder).map((file) => basename(file, '.json'));

const pathOf = (named: string, cwd: string): string =>
  shipped.includes(named) ? join(folder, `${named}.json`) : resolve(cwd, named);

/** Why a file was not read, for people. */
const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'this system user cannot read it',
  EPERM: 'this system user cannot read it',
};

function contents(named: string, path: string, cwd: string): unknown {
  try {
    // A byte order mark, which some editors put first, is left out by the decoder.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadSetting(`${shownPath(path, cwd)} is not JSON: ${error.message}.`);
    if (error instanceof TypeError)
      throw new BadSetting(`${shownPath(path, cwd)} is not UTF-8 text; save it as UTF-8.`);
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = unreadable[code] ?? message;
    throw new BadSetting(
      `The deployment "${named}" cannot be read: ${why}. Use a, b, hub or the path of a deployment file.`,
    );
  }
}

/** Short where that helps, whole where it does not. */
function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith('..') ? path : short;
}

function role(value: unknown, place: Place): Role {
  const given = object(value, place);
  known(Object.keys(given), ['label', 'capabilities'], place, 'member');
  const capabilities = texts(given.capabilities, at(place, 'capabilities'));
  const odd = capabilities.find((capability) => !/^[a-z][a-z0-9_]*$/.test(capability));
  if (odd !== undefined) wrong(at(place, 'capabilities'), `names "${odd}", which is not a capability.`);
  return { label: text(given.label, at(place, 'label')), capabilities };
}

function roles(value: unknown, place: Place): Readonly<Record<string, Role>> {
  const given = record(role)(value, place);
  const odd = Object.keys(given).find((slug) => !/^[a-z][a-z0-9_-]*$/.test(slug));
  if (odd !== undefined)
    wrong(place, `names the role "${odd}"; a role name has only lowercase letters, digits, _ and -.`);
  if (!given.administrator) wrong(place, 'must have the role administrator.');
  return given;
}

function index(value: unknown, place: Place): Deployment['index'] {
  const given = object(value, place);
  known(Object.keys(given), ['gmt_offset'], place, 'member');
  return { gmt_offset: oneOf('number', 'string')(given.gmt_offset ?? 'string', at(place, 'gmt_offset')) };
}

/** Texts and numbers alike become text: the table of settings reads them as it reads flags. */
function server(value: unknown, place: Place, keys: readonly string[]): Readonly<Record<string, string>> {
  const given = object(value, place);
  known(Object.keys(given), keys, place, 'setting');
  return record((item, there) => {
    if (Array.isArray(item)) return texts(item, there).join(',');
    return typeof item === 'number' ? String(item) : text(item, there);
  })(given, place);
}

const members = ['namespaces', 'extensions', 'modules', 'first_groups', 'roles', 'index', 'settings', 'server'];

function namespaces(value: unknown, place: Place, names: KnownNames): readonly string[] {
  const given = texts(value, place);
  known(given, [...names.namespaces, ...Object.values(names.extensions).flat()], place, 'namespace');
  return given;
}

/** What is on and what is off, by a name that is known. */
function switches(value: unknown, place: Place, names: readonly string[], what: string): Record<string, boolean> {
  const given = record(flag)(value, place);
  known(Object.keys(given), names, place, what);
  return given;
}

/** Reads and checks the file; nothing but reading happens. */
export function readDeployment(named: string, keys: readonly string[], names: KnownNames, cwd: string): Deployment {
  const path = pathOf(named, cwd);
  const place: Place = { file: shownPath(path, cwd), path: [] };
  const given = object(contents(named, path, cwd), place);
  known(Object.keys(given), members, place, 'member');
  return {
    name: basename(path, '.json'),
    path,
    namespaces: namespaces(given.namespaces, at(place, 'namespaces'), names),
    extensions: switches(given.extensions ?? {}, at(place, 'extensions'), Object.keys(names.extensions), 'extension'),
    modules: switches(given.modules ?? {}, at(place, 'modules'), names.modules, 'module'),
    first_groups: flag(given.first_groups ?? false, at(place, 'first_groups')),
    roles: roles(given.roles, at(place, 'roles')),
    index: index(given.index ?? {}, at(place, 'index')),
    settings: siteSettings(given.settings ?? {}, at(place, 'settings')),
    server: server(given.server ?? {}, at(place, 'server'), keys),
  };
}
