// Extensions add fields to the records of a content type, and filters and orders to its lists.

import { compile } from '#kernel/args/validate.ts';
import type { Asker, Schema, Static, TProperties, TSchema } from '#kernel/schema.ts';
import { noUserExtra, type UserExtra } from '../identity/users/additions.ts';
import { Contained, type ContainedNeeds, createContained, failedTopic } from './contained.ts';
import type { AddedOrder, Also, Changing, Conditions, Post, PostInput } from './posts/post.ts';
import type { Writing } from './tables.ts';
import type { ContentType } from './types.ts';

/** Written as methods, so that a declaration fits where its nouns are not known. */
interface AddedField<Use, S extends TSchema = TSchema> {
  /** With the contexts that show it. A field that is fixed is only shown. */
  readonly schema: S;
  /**
   * The values it has, for a whole page of records at once; nothing for a record without one. Where it throws, does not answer in
   * time, or answers what the schema does not allow, the field is left out of that reading, whatever the schema says.
   */
  of(posts: readonly number[], use: Use): Promise<ReadonlyMap<number, unknown>>;
  /**
   * The tables that `of` reads. A write to one of them drops the serialized records of the type. Without `rests`, records with this
   * field are not cached, because nothing says when the field changes. Files (`attachment`) are never in that cache.
   */
  readonly rests?: readonly string[];
  /** Part of the text: the password of the record closes it, too. */
  readonly ofText?: true;
  /**
   * Lists can be sorted by the field: `orderby` takes its name. The order narrows nothing, so the total of the list holds. Records
   * without a value come last.
   */
  readonly order?: AddedOrder;
  /**
   * What was sent, as columns of the record itself: its history, search and transfer keep it then. Asked before the write, with what
   * else was sent of the record, and the record where there is one.
   */
  said?(value: Static<S>, record: SaidRecord, use: Use, asker: Asker): PostInput | Promise<PostInput>;
  /** Keeps what was sent, in the write of the record. What it throws leaves nothing of the write. `asker`: who sent it. */
  keep?(tx: Writing, post: Post, value: Static<S>, use: Use, asker: Asker): Promise<void>;
}

/** A record that is about to be written. */
export interface SaidRecord {
  readonly said: PostInput;
  readonly post: Post | undefined;
}

/** A condition that leaves at most some hundred records. The list reads these first and sorts them. */
export interface FewRecords {
  readonly few: Also;
}

type Where = Also | FewRecords | undefined;

interface AddedFilter<Use, S extends TSchema = TSchema> {
  readonly schema: S;
  /** A condition on `posts`; without one, it filters nothing. `asker`: who reads the list. */
  where(value: Static<S>, use: Use, asker: Asker): Where | Promise<Where>;
}

/** What a field keeps, and a filter asks for, has the type that its schema says. */
export type FieldMaker<Use> = <S extends TSchema>(field: AddedField<Use, S>) => AddedField<Use, S>;
export type FilterMaker<Use> = <S extends TSchema>(filter: AddedFilter<Use, S>) => AddedFilter<Use, S>;

export interface Addition<Use> {
  readonly fields?: Readonly<Record<string, AddedField<Use>>>;
  readonly filters?: Readonly<Record<string, AddedFilter<Use>>>;
  /**
   * Takes away what is kept of a record, in the write that deletes it, whoever deletes it and why. Of one that comes with the
   * program it is asked also while that is switched off, for its tables are there then; so it is asked without nouns. One from a package
   * is not loaded while it is off: what it missed it looks for itself, by a job.
   */
  erased?(tx: Writing, post: Post): Promise<void>;
}

/** All that is added to one type, put together. */
export interface Extra {
  readonly fields: TProperties;
  readonly filters: TProperties;
  /** Fields that the password of the record closes. */
  readonly ofText: ReadonlySet<string>;
  /** Fields that lists can be sorted by. */
  readonly orders: readonly string[];
  /** The tables that the fields read; undefined when a field does not say. */
  readonly rests: readonly string[] | undefined;
  /** The order behind an `orderby`, if a field of that name has one. */
  orderOf(name: string): AddedOrder | undefined;
  /** The values of the fields, of many records. */
  load(
    posts: readonly number[],
    wants: (field: string) => boolean,
    values: AddedValues,
  ): Promise<Map<number, Record<string, unknown>>>;
  /** What the filters that were sent ask of the records of a list. */
  conditions(args: Readonly<Record<string, unknown>>, asker: Asker): Promise<Conditions>;
  /** What was sent of the record, with what the fields make of it. */
  saying(
    said: PostInput,
    args: Readonly<Record<string, unknown>>,
    post: Post | undefined,
    asker: Asker,
  ): Promise<PostInput>;
  /** What is to be kept of the fields that were sent, in the write of the record. */
  keeping(
    args: Readonly<Record<string, unknown>>,
    asker: Asker,
  ): ((tx: Writing, post: Post) => Promise<void>) | undefined;
}

/** By the name of the type. */
export interface Extras {
  (type: string): Extra;
  /** The content types of the extensions that are on. */
  readonly types: readonly ContentType[];
  /** What is added to users. */
  readonly users: UserExtra;
}

/** An addition, and the nouns of the extension that makes it: asked for when they are needed, for then they are made. */
interface Added {
  /** The name of the extension. */
  readonly by: string;
  readonly addition: Addition<unknown>;
  use(): unknown;
}

export function extraOf(added: readonly Added[]): Extra {
  const fields = added.flatMap(({ by, addition, use }) =>
    Object.entries(addition.fields ?? {}).map(([name, field]) => {
      const asked: Asked = { name, by, schema: field.schema as Schema, of: (posts) => field.of(posts, use()) };
      return { name, field, use, asked };
    }),
  );
  const filters = added.flatMap(({ addition, use }) =>
    Object.entries(addition.filters ?? {}).map(([name, filter]) => ({ name, filter, use })),
  );
  const ordered = fields.filter(({ field }) => field.order !== undefined);
  const isCacheable = fields.every(({ field }) => field.rests !== undefined);
  return {
    ofText: new Set(fields.filter(({ field }) => field.ofText).map(({ name }) => name)),
    orders: ordered.map(({ name }) => name),
    rests: isCacheable ? restsOf(fields.map(({ field }) => field.rests ?? [])) : undefined,
    orderOf: (name) => ordered.find((one) => one.name === name)?.field.order,
    fields: Object.fromEntries(fields.map(({ name, field }) => [name, field.schema])),
    filters: Object.fromEntries(filters.map(({ name, filter }) => [name, filter.schema])),

    async load(posts, wants, values) {
      const all = new Map(posts.map((id) => [id, {} as Record<string, unknown>]));
      const wanted = posts.length === 0 ? [] : fields.filter(({ name }) => wants(name));
      const loaded = await Promise.all(wanted.map(({ asked }) => values.of(asked, posts)));
      for (const [at, { name }] of wanted.entries())
        for (const [id, value] of loaded[at]!) Object.assign(all.get(id) ?? {}, { [name]: value });
      return all;
    },

    async conditions(args, asker) {
      const sent = filters.filter(({ name }) => args[name] !== undefined);
      const all = await Promise.all(sent.map(({ name, filter, use }) => filter.where(args[name], use(), asker)));
      const conditions = all.filter((one) => one !== undefined);
      return {
        also: conditions.map((one) => ('few' in one ? one.few : one)),
        areFew: conditions.some((one) => 'few' in one),
      };
    },

    async saying(said, args, post, asker) {
      let all = said;
      for (const { name, field, use } of fields) {
        if (args[name] === undefined || field.said === undefined) continue;
        all = { ...all, ...(await field.said(args[name], { said: all, post }, use(), asker)) };
      }
      return all;
    },

    keeping(args, asker) {
      const sent = fields.filter(
        ({ name, field }) => args[name] !== undefined && !(field.schema as Schema).readonly && field.keep !== undefined,
      );
      if (sent.length === 0) return undefined;
      return async (tx, post) => {
        for (const { name, field, use } of sent) await field.keep?.(tx, post, args[name], use(), asker);
      };
    },
  };
}

/** A record whose field failed is not cached, so a record with added fields rests on news of failures too. */
const restsOf = (tables: readonly (readonly string[])[]): string[] =>
  tables.length === 0 ? [] : [...new Set([...tables.flat(), failedTopic])];

/** What a write of a record brings along of what was sent to extensions. */
export function along(extra: Extra, sent: object, asker: Asker): Pick<Changing, 'alongside'> {
  const alongside = extra.keeping(sent as Readonly<Record<string, unknown>>, asker);
  return alongside === undefined ? {} : { alongside };
}

export const noExtras: Extras = Object.assign(() => extraOf([]), { types: [], users: noUserExtra });

/** The values of a field that an extension adds to records. What goes wrong takes the field out of this one reading, and nothing else. */
interface Asked {
  readonly name: string;
  /** The extension that adds it. */
  readonly by: string;
  readonly schema: Schema;
  /** By the number of the record. */
  of(posts: readonly number[]): Promise<Values>;
}

type Values = ReadonlyMap<number, unknown>;
type Asking = (posts: readonly number[]) => Promise<Values>;

interface AddedValues {
  /** What the field holds for these records; nothing where that is not known, or is not what its schema says. */
  of(field: Asked, posts: readonly number[]): Promise<Values>;
}

export function createAddedValues(needs: ContainedNeeds): AddedValues {
  const contained = createContained(needs, (name) => `The ${name} could not be read, and is left out.`);
  const known = new WeakMap<Asked, Asking>();
  const asking = (field: Asked): Asking => {
    const called = `field ${field.name} of the extension ${field.by}`;
    const faultIn = faults(field);
    const ask = contained.bounded(called, async (posts: readonly number[]) => copied(await field.of(posts)));
    return async (posts) => {
      const values = await ask(posts).catch(none);
      for (const [id, value] of values) {
        const fault = faultIn(value);
        if (fault === undefined) continue;
        contained.failed(called, fault);
        values.delete(id);
      }
      return values;
    };
  };
  return { of: (field, posts) => known.getOrInsertComputed(field, asking)(posts) };
}

function copied(found: unknown): Map<number, unknown> {
  if (found instanceof Map) return new Map(found);
  throw new TypeError('It must return a Map from the ids of the records to the values.');
}

function none(error: unknown): Map<number, unknown> {
  if (error instanceof Contained) return new Map();
  throw error;
}

/** Why a value cannot be shown. One that is not there is no fault. */
function faults({ name, schema }: Asked): (value: unknown) => Error | undefined {
  const { check } = compile(schema);
  return (value) => {
    if (value === undefined) return undefined;
    try {
      JSON.stringify(value);
    } catch (error) {
      return error as Error;
    }
    const wrong = check(value, name);
    return wrong && new TypeError(wrong.message);
  };
}
