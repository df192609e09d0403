// Settings between the store and what is made of them: what differs from the defaults, secrets sealed each for its place.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import { deepFreeze } from '#lib/objects.ts';
import type { Seal } from '#site/platform/seal.ts';
import type { Log } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import type { Card } from './card.ts';
import type { SettingsTables } from './tables.ts';
import { at, putAt, type Values } from './types.ts';

/** Shown in the place of a secret that is set. Whoever sends it back keeps the secret. */
export const mask = '********';

/** The documents, by module. */
export type Rows = ReadonlyMap<string, string>;

export async function rowsOf(db: Reads<SettingsTables>): Promise<Rows> {
  const rows = await db.selectFrom('secsuite_settings').selectAll().execute();
  return new Map(rows.map(({ module, stored }) => [module, stored]));
}

export async function rowOf(db: Reads<SettingsTables>, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('secsuite_settings').select('stored').where('module', '=', id).executeTakeFirst();
  return row?.stored;
}

export const putRow = (tx: Transaction<SettingsTables>, module: string, stored: string) =>
  tx
    .insertInto('secsuite_settings')
    .values({ module, stored })
    .onConflict((on) => on.column('module').doUpdateSet({ stored }))
    .execute();

export interface Documents {
  /** As they are shown, and frozen. What is stored and no longer fits counts as not stored. */
  shown(card: Card, stored: string | undefined): Values;
  /** With their secrets open. */
  open(card: Card, stored: string | undefined): Values;
  secret(card: Card, stored: string | undefined, path: string): string;
  write(card: Card, values: Values): string;
}

export function createDocuments(seal: Seal, log: Pick<Log, 'warn'>): Documents {
  const place = ({ id }: Card, path: string): string => `secsuite settings ${id}.${path}`;
  const opened = (card: Card, path: string, sealed: unknown): string => {
    if (typeof sealed !== 'string' || sealed === '') return '';
    try {
      return seal.open(sealed, place(card, path));
    } catch {
      log.warn({ setting: `${card.id}.${path}` }, 'An encrypted setting cannot be decrypted. Treating it as not set.');
      return '';
    }
  };
  /** A secret that is none is left as it is: a text left empty, or nothing at all. */
  const eachSecret = (card: Card, values: Values, make: (value: string, path: string) => string): Values =>
    card.secrets.reduce((made, path) => {
      const value = at(made, path);
      return typeof value === 'string' && value !== '' ? putAt(made, path, make(value, path)) : made;
    }, values);
  const open = (card: Card, stored: string | undefined): Values =>
    fitting(
      card,
      eachSecret(card, parsed(stored), (value, path) => opened(card, path, value)),
    );
  return {
    open,
    shown: (card, stored) => deepFreeze(eachSecret(card, open(card, stored), () => mask)),
    secret: (card, stored, path) => opened(card, path, at(parsed(stored), path)),
    write(card, values) {
      const sealed = eachSecret(card, values, (value, path) => seal.close(value, place(card, path)));
      const differing = card.names.filter((name) => !isDeepStrictEqual(values[name], card.defaults[name]));
      return JSON.stringify(Object.fromEntries(differing.map((name) => [name, sealed[name]])));
    },
  };
}

const parsed = (stored: string | undefined): Values => (stored === undefined ? {} : JSON.parse(stored));

const fitting = (card: Card, values: Values): Values => ({
  ...card.defaults,
  ...Object.fromEntries(
    card.names
      .filter((name) => Object.hasOwn(values, name) && card.wrong(name, values[name]) === undefined)
      .map((name) => [name, card.settled(name, values[name])]),
  ),
});
