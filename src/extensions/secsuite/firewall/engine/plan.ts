// The rules of one pass, made ready to be held against many requests.
import { createSlots, type List, listOf, type Shop } from './conditions.ts';
import type { Kit } from './matching.ts';
import { type Needs, needsOf } from './needs.ts';
import type { Condition, Rule } from './rule.ts';
import type { Run } from './run.ts';
import { createTriggers, type Triggers } from './triggers.ts';

export interface Ready {
  readonly id: string;
  readonly type: string;
  readonly list: List;
  /** Where it sends whoever it matches; nothing where it names no place. */
  readonly to: string | undefined;
  /** Whether it is not for those who are trusted. */
  readonly sparesTrusted: boolean;
}

export interface Plan {
  readonly rules: readonly Ready[];
  readonly triggers: Triggers;
  /** Of the request that is looked at, by the place of its slot. */
  readonly values: Run['values'];
  readonly needs: Needs;
}

/** Rules that let pass come first, each kind in the order given. */
export function planOf(rules: readonly Rule[], kit: Kit): Plan {
  const { all: slots, slot } = createSlots();
  const shop: Shop = { ...kit, slot };
  const isAllowing = ({ type }: Rule): boolean => type === 'WHITELIST';
  const sorted = [...rules.filter(isAllowing), ...rules.filter((rule) => !isAllowing(rule))];
  const ready = sorted.map((rule) => readyOf(rule, shop));
  return {
    rules: ready,
    triggers: createTriggers(
      ready.map(({ list }) => list),
      slots,
    ),
    values: new Array(slots.length),
    needs: needsOf(sorted),
  };
}

const readyOf = ({ id, type, rules, type_params: to, bypass_whitelist: bypass }: Rule, shop: Shop): Ready => ({
  id,
  type,
  list: listOf(conditionsOf(rules), shop),
  to: type === 'REDIRECT' ? placeOf(to) : undefined,
  sparesTrusted: bypass === false || bypass === 0,
});

const conditionsOf = (rules: unknown): readonly Condition[] => (Array.isArray(rules) ? rules : []);

/** An absolute address of the web, as it may stand in a header. */
export function placeOf(written: unknown): string | undefined {
  const url = typeof written === 'string' ? URL.parse(written) : null;
  if (url === null || !/^https?:\/\//i.test(written as string)) return undefined;
  return /^[\x21-\x7e]+$/.test(written as string) ? (written as string) : url.href;
}
