// Settings that belong together: each field said once, with its schema, its default and how it is treated.
import type { Transaction } from 'kysely';
import { compileArgs, type Settle } from '#kernel/args/settle.ts';
import { compile } from '#kernel/args/validate.ts';
import type { Asker, Schema, Static, TProperties, TSchema } from '#kernel/schema.ts';
import type { AnyTables } from '#store/handles.ts';

/** Under a name of their own. Every field has a default. */
export interface Group<P extends TProperties = TProperties> {
  readonly name: string;
  readonly fields: P;
  /** Throws what only the store can judge, in the write. `wanted`: the fields that change. */
  demand?(tx: Transaction<AnyTables>, before: Checked, wanted: Checked): Promise<void>;
  /** What else changes with that, in the same write, unless it was said as well. `after` is how the group would be. */
  along?(before: Values<P>, after: Values<P>): Changes<P>;
}

export type Values<P extends TProperties> = { readonly [K in keyof P]: Static<P[K]> };
/** Null sets the default again. */
export type Changes<P extends TProperties> = { readonly [K in keyof P]?: Static<P[K]> | null };

interface Confidential {
  readonly confidential: true;
}

/** Sealed in the database; told to no log, no event and no list. */
export const confidential = <S extends TSchema>(schema: S): S & Confidential =>
  Object.assign(schema, { confidential: true as const });

interface Cleaned {
  readonly clean: (text: string) => string;
}

/** Kept as this makes it, once it was checked. */
export const cleaned = <S extends TSchema>(schema: S, clean: Cleaned['clean']): S & Cleaned =>
  Object.assign(schema, { clean });

/** A field as it is treated. */
export type Field = Schema & { readonly confidential?: true } & Partial<Cleaned>;

export const fieldsOf = ({ fields }: Group): readonly (readonly [name: string, field: Field])[] =>
  Object.entries(fields) as [string, Field][];

export const defaultsOf = (group: Group): Record<string, unknown> =>
  Object.fromEntries(fieldsOf(group).map(([name, field]) => [name, structuredClone(field.default)]));

/** Nobody who could be asked for rights: what is stored, and what a declaration says, has to fit whoever asks. */
const nobody: Asker = { id: 0, can: () => false };

export type Checked = Readonly<Record<string, unknown>>;

/**
 * By the rules for the arguments of a route: the fields that shall change, as they shall be. What is unknown or fixed is left
 * out.
 */
export function settling(group: Group): (changes: Checked) => Checked {
  const fields = fieldsOf(group).filter(([, { readonly }]) => readonly !== true);
  const settle = settleOf(fields);
  const defaults = defaultsOf(group);
  return (changes) => {
    const asked = fields.filter(([name]) => Object.hasOwn(changes, name) && changes[name] !== undefined);
    const json = Object.fromEntries(asked.map(([name]) => [name, changes[name]]));
    const { args } = settle({ path: {}, query: {}, json }, nobody);
    // A null says nothing to `settle`; here it is the default.
    const wantedFor = (name: string): unknown => (json[name] === null ? defaults[name] : args[name]);
    const cleanedFor = (name: string, { clean }: Field): unknown => {
      const value = wantedFor(name);
      return clean && typeof value === 'string' ? clean(value) : value;
    };
    return Object.fromEntries(asked.map(([name, field]) => [name, cleanedFor(name, field)]));
  };
}

function settleOf(fields: readonly (readonly [string, Field])[]): Settle {
  const args = Object.fromEntries(fields) as TProperties;
  return compileArgs(args, { methods: ['POST'], pathNames: [], strictDates: true });
}

/** What is wrong with these declarations, in a sentence. */
export function faultIn(groups: readonly Group[]): string | undefined {
  const names = groups.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `The group of settings ${twice} is declared twice.`;
  for (const group of groups) {
    for (const [name, field] of fieldsOf(group)) {
      const fault = faultOf(name, field);
      if (fault !== undefined) return `The setting ${group.name}.${name} ${fault}`;
    }
  }
  return undefined;
}

function faultOf(name: string, field: Field): string | undefined {
  if (field.default === undefined) return 'has no default.';
  const wrong =
    compile(field, { strictDates: true }).check(field.default, name) ?? field.check?.(field.default as never, nobody);
  if (wrong === undefined) return undefined;
  return `has a default that is not valid${wrong === false ? '.' : `: ${wrong.message}`}`;
}
