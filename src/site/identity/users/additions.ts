// Extensions add fields to the records of users, and filters to their list. Indexes list neither.
import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { compile } from '#kernel/args/validate.ts';
import { invalidParam } from '#kernel/errors.ts';
import type { Asker, Static, TProperties, TSchema } from '#kernel/schema.ts';
import { t } from '#kernel/schema.ts';
import type { User } from './user.ts';

/** Who reads or changes users; `user` is undefined for visitors. */
export interface UserAsker extends Asker {
  readonly user: User | undefined;
}

/** Methods, so that a declaration fits where its nouns are not known. */
interface AddedUserField<Use, S extends TSchema = TSchema, I extends TSchema = TSchema> {
  /** What is shown, with the contexts that show it. */
  readonly schema: S;
  /** The values for a page of users, by their ids. A user without a value has null. */
  of(users: readonly User[], asker: UserAsker, use: Use): Promise<ReadonlyMap<number, unknown>>;
  /** What a change of the user may send, if it may. */
  readonly input?: I;
  /** Stores what was sent, once the user is changed. */
  change?(user: User, value: Static<I>, use: Use): Promise<unknown>;
}

/** A member of `meta` in the record of a user: the context `edit` shows it, and only the users themselves change it. */
interface AddedUserMeta<Use> {
  readonly schema: TSchema;
  /** The values for a page of users, by their ids. */
  of(users: readonly User[], use: Use): Promise<ReadonlyMap<number, unknown>>;
  /** Why this value is refused, as a sentence. */
  fault(user: User, value: never, use: Use): Promise<string | undefined>;
  change(user: User, value: never, use: Use): Promise<unknown>;
}

interface AddedUserFilter<Use, S extends TSchema = TSchema> {
  readonly schema: S;
  /** A condition on `users`; undefined if it filters nothing. */
  where(value: Static<S>, asker: UserAsker, use: Use): Condition | Promise<Condition>;
}

type Condition = RawBuilder<SqlBool> | undefined;

export interface UserAddition<Use> {
  readonly fields?: Readonly<Record<string, AddedUserField<Use>>>;
  readonly filters?: Readonly<Record<string, AddedUserFilter<Use>>>;
  readonly meta?: Readonly<Record<string, AddedUserMeta<Use>>>;
}

/** Keep the types of what a field takes and a filter is given. */
export const userField = <Use, S extends TSchema, I extends TSchema = TSchema>(
  field: AddedUserField<Use, S, I>,
): AddedUserField<Use> => field as unknown as AddedUserField<Use>;
export const userFilter = <Use, S extends TSchema>(filter: AddedUserFilter<Use, S>): AddedUserFilter<Use> =>
  filter as unknown as AddedUserFilter<Use>;

export const userMeta = <Use, V>(meta: {
  readonly schema: TSchema;
  of(users: readonly User[], use: Use): Promise<ReadonlyMap<number, unknown>>;
  fault(user: User, value: V, use: Use): Promise<string | undefined>;
  change(user: User, value: V, use: Use): Promise<unknown>;
}): AddedUserMeta<Use> => meta;

type Values = Readonly<Record<string, unknown>>;

/** All that extensions add to users. */
export interface UserExtra {
  readonly fields: TProperties;
  readonly inputs: TProperties;
  readonly filters: TProperties;
  /** The values of the fields that `wants` names, by the ids of the users. */
  load(users: readonly User[], asker: UserAsker, wants: (field: string) => boolean): Promise<Map<number, Values>>;
  /** What the filters that were sent ask of the users of a list. */
  condition(sent: Values, asker: UserAsker): Promise<Condition>;
  change(user: User, sent: Values): Promise<void>;
  /** Values of `meta`, by the ids of the users. */
  loadMeta(users: readonly User[]): Promise<Map<number, Values>>;
  /** Members of `meta` that differ. Throws if one of them is refused, else returns how to store them. */
  metaChange(user: User, sent: unknown): Promise<MetaChange>;
}

interface MetaChange {
  readonly isSome: boolean;
  apply(user: User): Promise<void>;
}

interface Added {
  readonly addition: UserAddition<unknown>;
  readonly use: unknown;
}

export function userExtraOf(added: readonly Added[]): UserExtra {
  const named = <K extends keyof UserAddition<unknown>>(kind: K) =>
    added.flatMap(({ addition, use }) =>
      Object.entries((addition[kind] ?? {}) as NonNullable<UserAddition<unknown>[K]>).map(([name, one]) => ({
        name,
        one: one as NonNullable<UserAddition<unknown>[K]>[string],
        use,
      })),
    );
  const fields = named('fields');
  const filters = named('filters');
  const inputs = fields.flatMap(({ name, one: { input } }) => (input === undefined ? [] : [[name, input] as const]));
  return {
    fields: Object.fromEntries(fields.map(({ name, one }) => [name, t.fixed({ ...one.schema })])),
    inputs: Object.fromEntries(inputs.map(([name, input]) => [name, t.optional(input)])),
    filters: Object.fromEntries(filters.map(({ name, one }) => [name, t.optional(one.schema)])),
    async load(users, asker, wants) {
      const wanted = users.length === 0 ? [] : fields.filter(({ name }) => wants(name));
      const found = await Promise.all(wanted.map(({ one, use }) => one.of(users, asker, use)));
      const valuesOf = ({ id }: User): Values =>
        Object.fromEntries(wanted.map(({ name }, at) => [name, found[at]!.get(id) ?? null]));
      return new Map(users.map((user) => [user.id, valuesOf(user)]));
    },
    async condition(sent, asker) {
      const asked = filters.filter(({ name }) => sent[name] !== undefined);
      const all = await Promise.all(asked.map(({ name, one, use }) => one.where(sent[name], asker, use)));
      const conditions = all.filter((one) => one !== undefined);
      return conditions.length === 0 ? undefined : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
    },
    async change(user, sent) {
      for (const { name, one, use } of fields)
        if (one.change !== undefined && sent[name] !== undefined) await one.change(user, sent[name], use);
    },
    ...metaOf(named('meta')),
  };
}

interface NamedMeta {
  readonly name: string;
  readonly one: AddedUserMeta<unknown>;
  readonly use: unknown;
}

const metaOf = (meta: readonly NamedMeta[]): Pick<UserExtra, 'loadMeta' | 'metaChange'> => ({
  async loadMeta(users) {
    const found = users.length === 0 ? [] : await Promise.all(meta.map(({ one, use }) => one.of(users, use)));
    const valuesOf = ({ id }: User): Values =>
      Object.fromEntries(found.map((values, at) => [meta[at]!.name, values.get(id) ?? null]));
    return new Map(users.map((user) => [user.id, valuesOf(user)]));
  },
  async metaChange(user, sent) {
    const changes: ((user: User) => Promise<unknown>)[] = [];
    for (const { name, one, use } of meta) {
      if (typeof sent !== 'object' || sent === null || !Object.hasOwn(sent, name)) continue;
      const settler = compile(one.schema);
      const value = (sent as Values)[name];
      const wrong = settler.check(value, name);
      if (wrong) throw invalidParam('meta', wrong);
      const next = settler.coerce(value) as never;
      if (isDeepStrictEqual(next, (await one.of([user], use)).get(user.id))) continue;
      const message = await one.fault(user, next, use);
      if (message !== undefined) throw invalidParam('meta', { code: 'rest_invalid_param', message });
      changes.push((changed) => one.change(changed, next, use));
    }
    return {
      isSome: changes.length > 0,
      async apply(changed) {
        for (const change of changes) await change(changed);
      },
    };
  },
});

export const noUserExtra: UserExtra = userExtraOf([]);

/** Names of fields and filters that two extensions add. */
export const namesOf = ({ fields = {}, filters = {}, meta = {} }: UserAddition<never>): string[] => [
  ...Object.keys(meta).map((name) => `meta value ${name}`),
  ...Object.keys(fields).map((name) => `field ${name}`),
  ...Object.keys(filters).map((name) => `filter ${name}`),
];
