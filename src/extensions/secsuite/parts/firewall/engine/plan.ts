// The rules of one pass, made ready to be held against many requests. One rule comes or goes without the others being made again.
import { createSlots, type List, listOf } from './conditions.ts';
import type { Kit } from './matching.ts';
import { countedNeeds, type Needs, needsOf } from './needs.ts';
import type { Condition, Rule } from './rule.ts';
import { createTriggers, type Ready, type Triggers } from './triggers.ts';

export interface Plan {
  readonly size: number;
  readonly triggers: Pick<Triggers, 'awake' | 'holds'>;
  readonly needs: Needs;
  /** Returns how to take it away again, and all that was made for it. */
  add(place: number, rule: Rule): () => void;
}

export function createPlan(kit: Kit): Plan {
  const triggers = createTriggers();
  const slots = createSlots(triggers);
  const needs = countedNeeds();
  let size = 0;
  return {
    get size() {
      return size;
    },
    triggers,
    get needs() {
      return needs.now;
    },
    add(place, rule) {
      const { slot, release } = slots.holder();
      const forget = triggers.add(readyOf(place, rule, listOf(conditionsOf(rule.rules), { ...kit, slot })));
      const needed = needsOf(rule);
      needs.add(needed, 1);
      size += 1;
      return () => {
        forget();
        release();
        needs.add(needed, -1);
        size -= 1;
      };
    },
  };
}

const readyOf = (place: number, rule: Rule, list: List): Ready => ({
  id: rule.id,
  type: rule.type,
  list,
  place,
  asked: [],
  turn: 0,
  to: rule.type === 'REDIRECT' ? placeOf(rule.type_params) : undefined,
  sparesTrusted: rule.bypass_whitelist === false || rule.bypass_whitelist === 0,
});

const conditionsOf = (rules: unknown): readonly Condition[] => (Array.isArray(rules) ? rules : []);

/** An absolute address of the web, as it may stand in a header. */
export function placeOf(written: unknown): string | undefined {
  const url = typeof written === 'string' ? URL.parse(written) : null;
  if (url === null || !/^https?:\/\//i.test(written as string)) return undefined;
  return /^[\x21-\x7e]+$/.test(written as string) ? (written as string) : url.href;
}
