// What extensions add to the records of a type of content: fields, and filters of lists.
import type { Schema, TProperties, TSchema } from '#kernel/schema.ts';
import type { AddedValues, AddedField as Asked } from './added.ts';
import type { Also, Changing, Post } from './posts/post.ts';
import type { Writing } from './tables.ts';

/** Written as methods, so that a declaration fits where its nouns are not known. */
interface AddedField<Use> {
  /** With the contexts that show it. A field that is fixed is only shown. */
  readonly schema: TSchema;
  /**
   * The values it has, for a whole page of records at once; nothing for a record without one. Where it throws, does not answer in
   * time, or answers what the schema does not allow, the field is left out of that reading, whatever the schema says.
   */
  of(posts: readonly number[], use: Use): Promise<ReadonlyMap<number, unknown>>;
  /** Keeps what was sent, in the write of the record. What it throws leaves nothing of the write. */
  keep?(tx: Writing, post: Post, value: unknown, use: Use): Promise<void>;
}

interface AddedFilter<Use> {
  readonly schema: TSchema;
  /** A condition on `posts`; without one, it filters nothing. */
  where(value: unknown, use: Use): Also | undefined;
}

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
  /** The values of the fields, of many records. */
  load(
    posts: readonly number[],
    wants: (field: string) => boolean,
    values: AddedValues,
  ): Promise<Map<number, Record<string, unknown>>>;
  /** What the filters that were sent ask of the records of a list. */
  conditions(args: Readonly<Record<string, unknown>>): Also[];
  /** What is to be kept of the fields that were sent, in the write of the record. */
  keeping(args: Readonly<Record<string, unknown>>): ((tx: Writing, post: Post) => Promise<void>) | undefined;
}

/** By the name of the type. */
export type Extras = (type: string) => Extra;

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
  return {
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

    conditions: (args) =>
      filters.flatMap(({ name, filter, use }) => {
        const condition = args[name] === undefined ? undefined : filter.where(args[name], use());
        return condition === undefined ? [] : [condition];
      }),

    keeping(args) {
      const sent = fields.filter(
        ({ name, field }) => args[name] !== undefined && !(field.schema as Schema).readonly && field.keep !== undefined,
      );
      if (sent.length === 0) return undefined;
      return async (tx, post) => {
        for (const { name, field, use } of sent) await field.keep?.(tx, post, args[name], use());
      };
    },
  };
}

/** What a write of a record brings along of what was sent to extensions. */
export function along(extra: Extra, sent: object): Pick<Changing, 'alongside'> {
  const alongside = extra.keeping(sent as Readonly<Record<string, unknown>>);
  return alongside === undefined ? {} : { alongside };
}

export const noExtras: Extras = () => extraOf([]);
