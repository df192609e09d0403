// A resource is declared once. Its fields give the response filter, the arguments of creating and updating, the published
// schema and the OpenAPI component; its links stand beside them.
import type { Fields } from './fields.ts';
import type { Context, Fixed, Schema, Static, TProperties, TSchema } from './schema.ts';
import { t } from './schema.ts';

/** `href` begins with a slash for a path of the interface, spelled neutrally, and with a scheme for any other address. */
export interface Link {
  readonly href: string;
  readonly embeddable?: boolean;
  readonly [attribute: string]: unknown;
}

/** What somebody may do with a record, told with the published schema: records say it by a link of that name. */
export interface Deed {
  readonly rel: string;
  readonly title: string;
  /** Spelled neutrally, with `{id}` for the number of the record. */
  readonly href: string;
  /** Of what becomes of the record. */
  readonly targetSchema?: unknown;
  /** Of what is sent. */
  readonly submissionSchema?: unknown;
  readonly targetHints?: { readonly allow: readonly string[] };
}

export type Links = Readonly<Record<string, readonly Link[]>>;

/** What the short names of relations stand for: an address where `{rel}` is the rest of the name. */
export type Relations = Readonly<Record<string, string>>;

type Writable<F extends TProperties> = { [K in keyof F as F[K] extends Fixed ? never : K]: F[K] };
type Rewritable<F extends TProperties> = { [K in keyof Writable<F>]: ReturnType<typeof t.optional<Writable<F>[K]>> };
export type RecordOf<F extends TProperties> = Static<ReturnType<typeof t.object<F>>>;

interface ResourceDefinition<F extends TProperties, Row, Computed extends keyof F = keyof F> {
  /** The title of the published schema. */
  readonly name: string;
  readonly fields: F;
  /** Fields that are not simply the row's member of that name. Called only when the field is asked for, and told who sees it. */
  readonly compute?: { readonly [K in Computed]?: (row: Row, context: Context) => unknown };
  readonly links?: (row: Row) => Links;
  /** What short names of its relations stand for, besides `wp`. */
  readonly relations?: Relations;
  readonly deeds?: readonly Deed[];
  /** The address where people read it, told with the answer to whoever gets this one record. */
  readonly page?: (row: Row) => string | undefined;
}

export interface Resource<F extends TProperties = TProperties, Row = never> extends ResourceDefinition<F, Row> {
  /** What creating takes: every field that is not fixed. */
  readonly createArgs: Writable<F>;
  /** What updating takes: the same, each optional and without defaults. */
  readonly updateArgs: Rewritable<F>;
  /** The record as a context shows it, computing only what is wanted. */
  present(row: Row, context: Context, wanted: Fields | undefined): Record<string, unknown>;
}

/** What holds more of the same kind is as good: no column knows which words there are, and no list that nobody writes to it. */
type Wide<T> = T extends string ? string : T extends readonly (infer Item)[] ? readonly Item[] : T;

/** Fields that are the row's member of that name, where that may be what the schema does not allow. */
type Unfit<F extends TProperties, Row, Computed> = {
  [K in keyof F]: K extends Computed | Exclude<keyof F, keyof Row>
    ? never
    : [Wide<Row[K & keyof Row]>] extends [Wide<Static<F[K]>> | undefined]
      ? never
      : K;
}[keyof F];

/** A compiler says it where the field stands. */
interface Fitting<F extends TProperties, Row, Computed> {
  readonly fields: {
    readonly [K in Unfit<
      F,
      Row,
      Computed
    >]: 'The row may hold here what the schema does not allow: say t.nullable, or compute it.';
  };
}

export function resource<F extends TProperties, Row = RecordOf<F>, Computed extends keyof F = never>(
  definition: ResourceDefinition<F, Row, Computed> & Fitting<F, Row, Computed>,
): Resource<F, Row> {
  const plain: ResourceDefinition<F, Row> = definition as never;
  const writable = Object.entries(plain.fields).filter(([, schema]) => !(schema as Schema).readonly);
  const shown = presenters(plain);
  return {
    ...plain,
    createArgs: Object.fromEntries(writable) as Writable<F>,
    updateArgs: Object.fromEntries(
      writable.map(([name, schema]) => [name, t.optional(withoutDefault(schema))]),
    ) as Rewritable<F>,
    present(row, context, wanted) {
      const record: Record<string, unknown> = {};
      for (const field of shown[context]) {
        if (wanted?.members.has(field.name) === false) continue;
        const value = field.compute === undefined ? (row as Members)[field.name] : field.compute(row, context);
        if (value !== undefined) record[field.name] = field.filter === undefined ? value : field.filter(value);
      }
      return record;
    },
  };
}

function withoutDefault(schema: TSchema): TSchema {
  if (!('default' in schema)) return schema;
  const copy: TSchema & { default?: unknown } = { ...schema };
  delete copy.default;
  return copy;
}

type Members = Readonly<Record<string, unknown>>;
type Filter = (value: unknown) => unknown;
interface Shown<Row> {
  readonly name: string;
  readonly compute: ((row: Row, context: Context) => unknown) | undefined;
  readonly filter: Filter | undefined;
}

function presenters<F extends TProperties, Row>(definition: ResourceDefinition<F, Row>): Record<Context, Shown<Row>[]> {
  const fields = Object.entries(definition.fields) as [keyof F & string, Schema][];
  const inContext = (context: Context): Shown<Row>[] =>
    fields
      .filter(([, schema]) => isShown(schema, context))
      .map(([name, schema]) => ({
        name,
        compute: definition.compute?.[name],
        filter: filterFor(schema, context),
      }));
  return { view: inContext('view'), embed: inContext('embed'), edit: inContext('edit') };
}

/** A field without a list of contexts is always shown. */
const isShown = (schema: Schema, context: Context): boolean => schema.context?.includes(context) ?? true;

/** Removes nested members that the context does not show; an object left empty stays. `undefined` where nothing is hidden. */
function filterFor(schema: Schema, context: Context): Filter | undefined {
  if (schema.items !== undefined) {
    const item = filterFor(schema.items, context);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
  }
  const members = Object.entries(schema.properties ?? {});
  const filters = new Map(members.map(([name, inner]) => [name, filterFor(inner, context)]));
  const hidden = new Set(members.filter(([, inner]) => !isShown(inner, context)).map(([name]) => name));
  if (hidden.size === 0 && [...filters.values()].every((filter) => filter === undefined)) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const shown: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value))
      if (!hidden.has(name)) shown[name] = filters.get(name)?.(member) ?? member;
    return shown;
  };
}
