// Extensions add fields to the records of users, and filters to their list. Indexes list neither.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
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

interface AddedUserFilter<Use, S extends TSchema = TSchema> {
  readonly schema: S;
  /** A condition on `users`; undefined if it filters nothing. */
  where(value: Static<S>, asker: UserAsker, use: Use): Condition | Promise<Condition>;
}

type Condition = RawBuilder<SqlBool> | undefined;

export interface UserAddition<Use> {
  readonly fields?: Readonly<Record<string, AddedUserField<Use>>>;
  readonly filters?: Readonly<Record<string, AddedUserFilter<Use>>>;
}

/** Keep the types of what a field takes and a filter is given. */
export const userField = <Use, S extends TSchema, I extends TSchema = TSchema>(
  field: AddedUserField<Use, S, I>,
): AddedUserField<Use> => field as unknown as AddedUserField<Use>;
export const userFilter = <Use, S extends TSchema>(filter: AddedUserFilter<Use, S>): AddedUserFilter<Use> =>
  filter as unknown as AddedUserFilter<Use>;

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
  };
}

export const noUserExtra: UserExtra = userExtraOf([]);

/** Names of fields and filters that two extensions add. */
export const namesOf = ({ fields = {}, filters = {} }: UserAddition<never>): string[] => [
  ...Object.keys(fields).map((name) => `field ${name}`),
  ...Object.keys(filters).map((name) => `filter ${name}`),
];
