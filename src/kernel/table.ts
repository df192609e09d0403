// The one table of routes: what is served, in what order, and which entry a path and method mean.

import type { Settler } from './args/checks.ts';
import { cleanText } from './args/json.ts';
import { compileArgs, type Settle, type SettleOptions } from './args/settle.ts';
import { compile } from './args/validate.ts';
import type { Caller } from './caller.ts';
import type { Method, Route } from './route.ts';
import type { Schema, TProperties } from './schema.ts';

// Paths are written as the index prints them, `bans/(?P<id>\d+)`, and matched as they are read there: anchored, in any letter case, one
// slash at the end ignored.

interface Pattern {
  readonly text: string;
  readonly regex: RegExp;
  /** The literal path before the first group, in lower case and whole segments; the whole path when there is no group. */
  readonly head: string;
  readonly names: readonly string[];
}

const group = /\(\?P<(\w+)>/g;

export function compilePattern(text: string): Pattern {
  const names = [...text.matchAll(group)].map((match) => match[1]!);
  const literal = names.length === 0 ? text : text.slice(0, text.indexOf('('));
  const head = names.length === 0 ? literal : literal.slice(0, literal.lastIndexOf('/'));
  return { text, regex: new RegExp(`^${text.replace(group, '(?<$1>')}$`, 'i'), head: head.toLowerCase(), names };
}

/** The root keeps its slash, and two slashes are not the root. */
export const withoutTrailingSlash = (path: string): string =>
  path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path;

/** Fills the groups of a pattern with the values a request brought, for links back to it. */
export function fillPattern(pattern: Pattern, values: Readonly<Record<string, string>>): string {
  let filled = '';
  let rest = pattern.text;
  for (const name of pattern.names) {
    const start = rest.indexOf(`(?P<${name}>`);
    filled += rest.slice(0, start) + encodeURIComponent(values[name] ?? '').replaceAll('%2F', '/');
    rest = rest.slice(closingOf(rest, start) + 1);
  }
  return filled + rest;
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  let inClass = false;
  for (let index = open; index < text.length; index++) {
    const character = text[index];
    if (character === '\\') index++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return index;
  }
  return text.length - 1;
}

/** A path as the table reads it: decoded once. What is not well encoded names nothing, which is for the table to say. */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    const decoded = decodeURIComponent(path);
    // No name holds one; taken out, two addresses would be one, and a person who looks at the address sees another.
    return decoded.includes('\0') ? path : decoded;
  } catch {
    return path;
  }
}

/** Routes of one owner under one namespace, and the nouns their handlers use. */
export interface Mount {
  /** `''` for the root and the batch. */
  readonly namespace: string;
  readonly routes: readonly Route[];
  readonly use: unknown;
  /** What else the index of the namespace says to this caller. */
  about?(caller: Caller): Record<string, unknown>;
}

export interface Entry {
  readonly route: Route;
  readonly use: unknown;
  readonly settleArgs: Settle;
  /** For the groups of the path that it declares. */
  readonly pathSettlers: ReadonlyMap<string, Settler>;
  /** For a payload that is a plain object: its members, from the same sources as the arguments. */
  readonly settlePayload: Settle | undefined;
  /** For a payload of any other shape: the whole body. */
  readonly settleDocument: ReturnType<typeof compile> | undefined;
}

/** The routes that share a path. */
export interface Group {
  readonly namespace: string;
  readonly pattern: Pattern;
  readonly entries: Entry[];
  readonly order: number;
  /** The path's groups, coerced as the first route that declares each of them says; undefined when one does not fit. */
  coercePath(values: Readonly<Record<string, string>>): Record<string, unknown> | undefined;
}

export interface Match {
  readonly group: Group;
  readonly entry: Entry | undefined;
  readonly path: Readonly<Record<string, string>>;
}

export interface Table {
  readonly groups: readonly Group[];
  /** The namespaces that have routes, in the order they were mounted. */
  readonly namespaces: readonly string[];
  match(method: string, path: string): Match | undefined;
  /** The path of a matched request as the table spells it, for links. */
  pathOf(match: Match): string;
}

/** A table that cannot be served; its message is the sentence the boot stops with. */
export class TableProblem extends Error {}

export function buildTable(mounts: readonly Mount[], capabilities: ReadonlySet<string>): Table {
  const byPattern = new Map<string, Group>();
  for (const mount of mounts) {
    for (const route of mount.routes) {
      refuseUnknownCapability(route, mount.namespace, capabilities);
      const text = patternText(mount.namespace, route.path);
      const group = byPattern.get(text) ?? newGroup(mount.namespace, text, byPattern.size);
      byPattern.set(text, group);
      refuseSecondMeaning(group, route);
      group.entries.push(newEntry(route, mount));
    }
  }
  const groups = [...byPattern.values()];
  return {
    groups,
    namespaces: [...new Set(mounts.map(({ namespace }) => namespace))].filter((name) => name !== ''),
    match: matcher(groups),
    pathOf: ({ group, path }) => fillPattern(group.pattern, path),
  };
}

const patternText = (namespace: string, path: string): string =>
  `/${[namespace, path].filter((part) => part !== '').join('/')}`;

function newGroup(namespace: string, text: string, order: number): Group {
  const pattern = compilePattern(text);
  const entries: Entry[] = [];
  return { namespace, pattern, entries, order, coercePath: (values) => coercePath(entries, values) };
}

function newEntry(route: Route, { namespace, use }: Mount): Entry {
  const pattern = compilePattern(patternText(namespace, route.path));
  const options = { methods: route.methods, pathNames: pattern.names, strictDates: namespace !== 'core/v2' };
  const payload = route.payload as Schema | undefined;
  const members = payload !== undefined && hasPlainMembers(payload) ? payload.properties : undefined;
  return {
    route,
    use,
    settleArgs: compileArgs(route.args ?? {}, options),
    pathSettlers: compilePath(route, options),
    settlePayload: members && compileArgs(members as TProperties, options),
    settleDocument: payload === undefined || members !== undefined ? undefined : compile(payload, options),
  };
}

/** An object that says no more than which members it has: each is settled like an argument. Any other shape is judged whole. */
const hasPlainMembers = ({ type, properties, ...more }: Schema): boolean =>
  type === 'object' && properties !== undefined && !wholeKeywords.some((keyword) => more[keyword] !== undefined);

const wholeKeywords = [
  'additionalProperties',
  'patternProperties',
  'minProperties',
  'maxProperties',
  'oneOf',
  'anyOf',
] as const;

function refuseUnknownCapability(route: Route, namespace: string, capabilities: ReadonlySet<string>): void {
  const { access } = route;
  if (typeof access !== 'string' || access === 'public' || capabilities.has(access)) return;
  throw new TableProblem(
    `The route ${route.methods.join(', ')} ${patternText(namespace, route.path)} asks for the capability ${access}, which nothing declares.`,
  );
}

function refuseSecondMeaning(group: Group, route: Route): void {
  const twice = route.methods.find((method) => entryFor(group, method) !== undefined);
  if (twice === undefined) return;
  throw new TableProblem(`The route ${twice} ${group.pattern.text} is declared twice.`);
}

const entryFor = (group: Group, method: string): Entry | undefined =>
  group.entries.find(({ route }) => route.methods.includes(method as Method));

function coercePath(
  entries: readonly Entry[],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> | undefined {
  const coerced: Record<string, unknown> = {};
  for (const name of Object.keys(values)) {
    const sent = values[name];
    if (sent === undefined) continue;
    const value = cleanText(sent);
    const settler = entries.find(({ pathSettlers }) => pathSettlers.has(name))?.pathSettlers.get(name);
    if (settler?.check(value, name) !== undefined) return undefined;
    coerced[name] = settler === undefined ? value : settler.coerce(value);
  }
  return coerced;
}

function compilePath(route: Route, { pathNames, strictDates }: SettleOptions): Map<string, Settler> {
  const settlers = new Map<string, Settler>();
  for (const name of pathNames) {
    const schema = pathSchema(route, name);
    if (schema !== undefined) settlers.set(name, compile(schema, { strictDates }));
  }
  return settlers;
}

const pathSchema = (route: Route, name: string): Schema | undefined =>
  (route.args?.[name] as Schema | undefined) ?? (route.payload as Schema | undefined)?.properties?.[name];

/** Paths without groups are looked up; the others are tried in order among those that begin alike. */
function matcher(groups: readonly Group[]): Table['match'] {
  const plain = new Map<string, Group>();
  const grouped = new Map<string, Group[]>();
  const longest = Math.max(0, ...groups.map(({ pattern }) => pattern.head.length));
  for (const group of groups) {
    const { head, names } = group.pattern;
    if (names.length === 0) plain.set(head, group);
    else grouped.set(head, [...(grouped.get(head) ?? []), group]);
  }
  return (method, sent) => {
    const path = withoutTrailingSlash(sent);
    const folded = path.toLowerCase();
    const matches: Match[] = [];
    const exact = plain.get(folded);
    if (exact !== undefined) matches.push({ group: exact, entry: entryFor(exact, method), path: {} });
    for (let end = folded.lastIndexOf('/', longest); end >= 0; end = folded.lastIndexOf('/', end - 1)) {
      for (const group of grouped.get(folded.slice(0, end)) ?? []) {
        const found = group.pattern.regex.exec(path);
        if (found !== null) matches.push({ group, entry: entryFor(group, method), path: { ...found.groups } });
      }
      if (end === 0) break;
    }
    return firstMatch(matches);
  };
}

/** The first registered path that offers the method; without one, the first registered path. */
function firstMatch(matches: readonly Match[]): Match | undefined {
  if (matches.length < 2) return matches[0];
  const inOrder = [...matches].sort((one, other) => one.group.order - other.group.order);
  return inOrder.find(({ entry }) => entry !== undefined) ?? inOrder[0];
}
