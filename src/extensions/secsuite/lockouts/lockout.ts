// A lockout: whom it keeps out, until when, and for which reason.
import type { Selectable } from 'kysely';
import { subnetIn } from '../addresses/block.ts';
import type { LockoutCard, LockoutLimits, Module } from '../module.ts';
import type { Settings } from '../settings/types.ts';
import type { LockoutTables } from './tables.ts';

/** Whether it holds for an account or its name, wherever somebody asks from. */
export const isOfAccount = ({ kind }: Lock): boolean => kind === 'user' || kind === 'username';

export type Lockout = Selectable<LockoutTables['secsuite_lockouts']>;

export type Kind = 'host' | 'user' | 'username';

/** Whom it meets. */
export type Subject =
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'user'; readonly user: number }
  | { readonly kind: 'username'; readonly username: string };

/** What somebody is kept out by; `user`: the account that is locked. */
export type Lock =
  | { readonly kind: 'host' | 'ban' | 'network' | 'username' }
  | { readonly kind: 'user'; readonly user: number };

/** What is counted is known by it. Names that differ in capitals only are one, and so are the addresses of one IPv6 network. */
export function keyOf(subject: Subject): string {
  if (subject.kind === 'host') return `host ${subnetIn(subject.host)}`;
  return subject.kind === 'user' ? `user ${subject.user}` : `username ${foldedName(subject.username)}`;
}

export const foldedName = (name: string): string => name.toLowerCase();

export const columnsOf = (subject: Subject): Pick<Lockout, 'host' | 'subnet' | 'user_id' | 'username'> => ({
  host: subject.kind === 'host' ? subject.host : null,
  subnet: subject.kind === 'host' ? subnetIn(subject.host) : null,
  user_id: subject.kind === 'user' ? subject.user : null,
  username: subject.kind === 'username' ? subject.username : null,
});

export function subjectOf({ host, user_id, username }: Pick<Lockout, 'host' | 'user_id' | 'username'>): Subject {
  if (host !== null) return { kind: 'host', host };
  return user_id === null ? { kind: 'username', username: username ?? '' } : { kind: 'user', user: user_id };
}

export function lockOf(subject: Subject): Lock {
  return subject.kind === 'user' ? subject : { kind: subject.kind };
}

/** Released ones still count, those that met somebody who is always let in never did. */
export const never = new Date(0);

/** A reason is there while its module runs. */
export interface Reason extends Omit<LockoutCard, 'limits'>, LockoutLimits {}

export interface Reasons {
  find(type: string): Reason | undefined;
  readonly all: readonly LockoutCard[];
  /** In words, also while its module does not run. */
  card(type: string): LockoutCard | undefined;
}

interface Needs {
  readonly modules: readonly Module[];
  readonly settings: Pick<Settings, 'shown'>;
  isRunning(module: string): boolean;
}

export function createReasons({ modules, settings, isRunning }: Needs): Reasons {
  const cards = modules.flatMap(({ id, lockouts = [] }) => lockouts.map((card) => ({ module: id, card })));
  const byType = new Map(cards.map((one) => [one.card.type, one]));
  return {
    get all() {
      return cards.filter(({ module }) => isRunning(module)).map(({ card }) => card);
    },
    card: (type) => byType.get(type)?.card,
    find(type) {
      const known = byType.get(type);
      if (known === undefined || !isRunning(known.module)) return undefined;
      const { limits, ...card } = known.card;
      return { ...card, ...limits(settings.shown(known.module)) };
    },
  };
}
