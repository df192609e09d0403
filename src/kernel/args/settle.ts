// From what a request brought to what a handler reads: sources in order of strength, missing arguments, checks, coercion.

import { kernelErrors } from '../errors.ts';
import type { Problem } from '../problem.ts';
import type { RecordOf } from '../resource.ts';
import { type Asker, isOptional, type Schema, type TProperties } from '../schema.ts';
import type { Failure, Settler } from './checks.ts';
import { cleanText } from './json.ts';
import { listIn } from './query.ts';
import { defaultOf } from './settlers.ts';
import { compile } from './validate.ts';

/** Strongest first. Query and form values come from `parseQuery`, JSON from `readJson`. */
export interface ArgSources {
  readonly path: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, unknown>> | undefined;
  readonly form?: Readonly<Record<string, unknown>> | undefined;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface Settled {
  readonly args: Record<string, unknown>;
  /** The query's declared and reserved arguments, settled, in the order sent. */
  readonly query: (readonly [name: string, value: unknown])[];
}

export type Settle = (sources: ArgSources, asker: Asker) => Settled;

export interface SettleOptions {
  readonly methods: readonly string[];
  /** Groups of the path: no other source can say them. */
  readonly pathNames: readonly string[];
  readonly strictDates: boolean;
}

interface Slot {
  readonly name: string;
  readonly settler: Settler;
  readonly check: Schema['check'];
  readonly required: boolean;
  readonly hasDefault: boolean;
  readonly fresh: () => unknown;
  readonly takesNull: boolean;
  readonly takesList: boolean;
  readonly inPath: boolean;
  /** Judged before the others, and together. */
  readonly first: boolean;
}

/** A refusal; without a failure it gives no reason. */
interface Refusal {
  readonly name: string;
  readonly failure: Failure | undefined;
}

/** Reserved names that stay in the addresses of neighbouring pages. */
const kept = new Set(['_fields', '_embed', '_envelope', '_locale', '_pretty']);

const absent = Symbol('absent');

/** The first things a collection looks at. */
const early = new Set(['context', 'page', 'per_page', 'search']);

/** Whether the argument must be sent. A default makes it dispensable, and so does the path, which always brings it. */
export const isRequired = (schema: Schema, inPath: boolean): boolean =>
  !inPath && !isOptional(schema) && schema.default === undefined && schema.required !== false;

const takesList = ({ type, oneOf, anyOf }: Schema): boolean =>
  [type].flat().includes('array') || [oneOf, anyOf].some((branches) => branches?.some(takesList));

function slotOf(name: string, schema: Schema, options: SettleOptions): Slot {
  const settler = compile(schema, { strictDates: options.strictDates });
  const inPath = options.pathNames.includes(name);
  return {
    name,
    settler,
    check: schema.check,
    required: isRequired(schema, inPath),
    hasDefault: schema.default !== undefined,
    fresh: defaultOf(schema),
    takesNull: settler.check(null, name) === undefined,
    takesList: takesList(schema),
    inPath,
    first: !options.methods.includes('GET') || early.has(name) || schema.check !== undefined,
  };
}

export function compileArgs(args: TProperties, options: SettleOptions): Settle {
  const slots = Object.entries(args).map(([name, schema]) => slotOf(name, schema as Schema, options));
  const inQuery = new Set(slots.filter((slot) => !slot.inPath).map((slot) => slot.name));
  const firsts = slots.map((_, at) => at).filter((at) => slots[at]?.first);
  const others = slots.map((_, at) => at).filter((at) => !slots[at]?.first);
  return (sources, asker) => {
    const values: unknown[] = [];
    for (const slot of slots) values.push(sent(slot, sources));
    refuseMissing(slots, values);
    judge(slots, values, firsts, asker);
    judge(slots, values, others, asker);
    const settled = collect(slots, values);
    return { args: settled, query: queryOf(sources.query, inQuery, settled) };
  };
}

/** What the strongest source says that says something. A form says null only inside a batch. */
function sent(slot: Slot, { path, json, form, query }: ArgSources): unknown {
  const { name } = slot;
  if (slot.inPath) return Object.hasOwn(path, name) ? cleanText(path[name] ?? '') : absent;
  const inJson = json !== undefined && Object.hasOwn(json, name);
  if (inJson && json[name] !== null) return json[name];
  const inForm = form !== undefined && Object.hasOwn(form, name);
  if (inForm && form[name] !== null) return written(slot, form);
  if (Object.hasOwn(query, name)) return written(slot, query);
  return (inJson || inForm) && slot.takesNull ? null : absent;
}

/** In a form or an address: a name that was sent several times is one list to an argument that takes lists. */
function written({ name, settler, takesList }: Slot, source: Readonly<Record<string, unknown>>): unknown {
  return (takesList ? listIn(source, name) : undefined) ?? asList(settler, source[name]);
}

const number = /^(?:0|[1-9]\d{0,14})$/;

/** `a[1]=x` alone, or numbers out of order, still mean a list to an argument that only takes lists. */
function asList(settler: Settler, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (!Object.keys(value).every((name) => number.test(name)) || !settler.check(value, '')) return value;
  const list = Object.values(value);
  return settler.check(list, '') ? value : list;
}

function refuseMissing(slots: readonly Slot[], values: readonly unknown[]): void {
  const missing: string[] = [];
  for (const [at, slot] of slots.entries()) if (slot.required && values[at] === absent) missing.push(slot.name);
  if (missing.length === 0) return;
  throw kernelErrors
    .missingCallbackParam(`Send the missing arguments: ${missing.join(', ')}.`)
    .with({ params: missing });
}

/** Checks these arguments and puts the coerced values in place; all that are wrong are named together. */
function judge(slots: readonly Slot[], values: unknown[], places: readonly number[], asker: Asker): void {
  let refusals: Refusal[] | undefined;
  for (const at of places) {
    const slot = slots[at];
    if (slot === undefined || values[at] === absent) continue;
    const failure = slot.settler.check(values[at], slot.name);
    if (!failure) values[at] = slot.settler.coerce(values[at]);
    const refusal = failure ? { name: slot.name, failure } : ownCheck(slot, values[at], asker);
    if (refusal) refusals = [...(refusals ?? []), refusal];
  }
  if (refusals) throw invalid(refusals);
}

function ownCheck(slot: Slot, value: unknown, asker: Asker): Refusal | undefined {
  const verdict = slot.check?.(value as never, asker);
  if (verdict === undefined) return undefined;
  const { name } = slot;
  if (verdict === false) return { name, failure: undefined };
  return { name, failure: { code: verdict.code, message: verdict.message, data: verdict.data ?? null } };
}

function invalid(refusals: readonly Refusal[]): Problem {
  const texts = refusals.map(({ name, failure }) => [name, failure?.message ?? `${name} is not valid here.`] as const);
  const reasons = refusals.flatMap(({ name, failure }) => (failure ? [[name, failure] as const] : []));
  const names = refusals.map(({ name }) => name).join(', ');
  const message = texts.length === 1 ? (texts[0]?.[1] ?? '') : `Correct these arguments: ${names}.`;
  return kernelErrors.invalidParam(message).with({
    params: Object.fromEntries(texts),
    details: reasons.length > 0 ? Object.fromEntries(reasons) : [],
  });
}

function collect(slots: readonly Slot[], values: readonly unknown[]): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const [at, slot] of slots.entries()) {
    if (values[at] !== absent) args[slot.name] = values[at];
    else if (slot.hasDefault) args[slot.name] = slot.fresh();
  }
  return args;
}

function queryOf(
  sentQuery: ArgSources['query'],
  declared: ReadonlySet<string>,
  args: Settled['args'],
): Settled['query'] {
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(sentQuery)) {
    if (declared.has(name)) entries.push([name, args[name]]);
    else if (kept.has(name)) entries.push([name, sentQuery[name]]);
  }
  return entries;
}

// What somebody sent otherwise than to a route, read by the same schemas: a form of a page says what a route's arguments say.

/** Throws a `Problem` that says of each field what is wrong with it. What no schema names is left out. */
type Reading<A extends TProperties> = (sent: Readonly<Record<string, unknown>>, asker: Asker) => RecordOf<A>;

export function reading<A extends TProperties>(args: A): Reading<A> {
  const settle = compileArgs(args, { methods: ['POST'], pathNames: [], strictDates: true });
  return (form, asker) => settle({ path: {}, form, query: {} }, asker).args as RecordOf<A>;
}
