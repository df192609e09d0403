// Dashboards, taken to another site.
import { isNobody } from '#kernel/caller.ts';
import type { Schema } from '#kernel/schema.ts';
import { instant } from '#store/columns.ts';
import { rdate } from '../../base.ts';
import {
  type ImportRun,
  type RoleReference,
  roleSchema,
  type TransferSource,
  type UserReference,
  userSchema,
} from '../../transfer.ts';
import type { Card, Dashboards } from './dashboards.ts';

interface Exported {
  readonly id: number;
  readonly created_by: Partial<UserReference>;
  readonly created_at: string;
  readonly label: string;
  readonly cards: readonly Pick<Card, 'id' | 'type' | 'size' | 'position' | 'settings'>[];
  readonly shares: { readonly users: readonly UserReference[]; readonly roles: readonly RoleReference[] };
}

const required = true;
/** Established services write an empty map as a list. */
const map = { type: ['object', 'array'], required } as const;
const mapOf = (value: unknown) => (Array.isArray(value) ? {} : (value as Card['size']));

const optionalUser = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(userSchema.properties ?? {}).map(([name, { required: _, ...schema }]) => [name, schema]),
  ),
} as const;

const schema: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: { type: 'integer', required },
      created_by: { ...optionalUser, type: ['object', 'array'], required },
      created_at: { type: 'string', format: 'date-time', required },
      label: { type: 'string', required },
      cards: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            type: { type: 'string', minLength: 1, maxLength: 100, required },
            size: map,
            position: map,
            settings: map,
          },
        },
        required,
      },
      shares: {
        type: 'object',
        properties: {
          users: { type: 'array', items: userSchema, required },
          roles: { type: 'array', items: roleSchema, required },
        },
        required,
      },
    },
  },
};

export const dashboardsSource = (
  dashboards: Pick<Dashboards, 'all' | 'insert' | 'removeAll'>,
  now: () => Date,
  /** Whose dashboards without an owner are, when a command imports them. */
  administrator: () => Promise<number>,
): TransferSource => ({
  slug: 'dashboard',
  title: 'Dashboards',
  description: 'Dashboards with their cards. An import deletes the existing dashboards.',
  schema,
  transform: { users: ['*.created_by', '*.shares.users'], roles: ['*.shares.roles'] },
  async collect(references) {
    const all = await dashboards.all();
    const users = await references.users(all.flatMap((one) => [one.created_by, ...one.users]));
    return all.map(
      (one): Exported => ({
        id: one.id,
        created_by: users.get(one.created_by) ?? {},
        created_at: rdate(one.created_at),
        label: one.label,
        cards: one.cards.map(({ dashboard: _, ...card }) => card),
        shares: { users: one.users.flatMap((id) => users.get(id) ?? []), roles: one.roles.map(references.role) },
      }),
    );
  },
  async apply(payload, { tx, behalf: { caller } }: ImportRun) {
    await dashboards.removeAll(tx);
    const importer = isNobody(caller) ? await administrator() : caller.id;
    for (const { created_by: owner, created_at, label, cards, shares } of payload as readonly Exported[]) {
      const moment = new Date(created_at);
      await dashboards.insert(tx, {
        label,
        created_by: owner.id ?? importer,
        created_at: instant(Number.isNaN(moment.getTime()) ? now() : moment),
        users: shares.users.map(({ id }) => id),
        roles: shares.roles.map(({ slug }) => slug),
        cards: cards.map(({ type, size, position, settings }) => ({
          type,
          size: mapOf(size),
          position: mapOf(position),
          settings: mapOf(settings),
        })),
      });
    }
  },
});
