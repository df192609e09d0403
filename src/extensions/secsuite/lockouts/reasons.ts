// Why somebody is locked out, and after how often. A reason is there while its module runs.
import type { LockoutCard, Module } from '../module.ts';
import type { Settings, Values } from '../settings/types.ts';

export interface Reason extends LockoutCard {
  /** So many within so many minutes lock out; 0 locks nobody out. */
  readonly host: number;
  readonly user: number;
  readonly period: number;
}

export interface Reasons {
  find(type: string): Reason | undefined;
  readonly all: readonly LockoutCard[];
  /** In words, also while its module does not run. */
  card(type: string): LockoutCard | undefined;
}

interface Needs {
  readonly modules: readonly Module[];
  readonly settings: Pick<Settings, 'of'>;
  isRunning(module: string): boolean;
}

type Limits = Pick<Reason, 'host' | 'user' | 'period'>;

const ofPasswords = ({ max_attempts_host, max_attempts_user, check_period }: Values): Limits => ({
  host: Number(max_attempts_host),
  user: Number(max_attempts_user),
  period: Number(check_period),
});

const ofHosts = (most: unknown, period: unknown): Limits => ({ host: Number(most), user: 0, period: Number(period) });

const limits: Readonly<Record<string, (values: Values) => Limits>> = {
  brute_force: ofPasswords,
  brute_force_admin_user: (values) => ({ ...ofPasswords(values), host: 1, user: 1 }),
  recaptcha: ({ error_threshold, check_period }) => ofHosts(error_threshold, check_period),
  firewall: ({ max_attempts_host, check_period }) => ofHosts(max_attempts_host, check_period),
};

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
      const limitsOf = limits[type];
      if (known === undefined || limitsOf === undefined || !isRunning(known.module)) return undefined;
      return { ...known.card, ...limitsOf(settings.of(known.module)) };
    },
  };
}
