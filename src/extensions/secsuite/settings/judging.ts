// What becomes of settings that somebody sends: left out or kept where that is right, judged, and of one mind with the rest. All
// that is wrong is said at once.
import { type Details, type Problem, problemFrom } from '#kernel/problem.ts';
import type { Card } from './card.ts';
import { type ConditionContext, holds } from './conditions.ts';
import { mask } from './stored.ts';
import { at, putAt, type Values } from './types.ts';

export interface Judging {
  readonly context: ConditionContext;
  isGroup(id: string): boolean;
}

export interface Judged {
  /** Whole; what was refused is as it was. */
  readonly after: Values;
  readonly faults: readonly Problem[];
}

export function judged(card: Card, before: Values, sent: Values, { context, isGroup }: Judging): Judged {
  const meant = taken(card, sent);
  const whole = completed(card, before, only(meant, card.names), context);
  const faults = matching(card, whole, meant);
  let after = before;
  for (const name of card.names.filter((one) => Object.hasOwn(whole, one))) {
    const fault = faultOf(card, name, whole[name]);
    if (fault) faults.push(fault);
    else after = { ...after, [name]: card.settled(name, whole[name]) };
  }
  for (const path of card.groupLists) {
    const strangers = listAt(after, path).filter((id) => !isGroup(id));
    const known = new Set(listAt(before, path));
    const unknown = strangers.filter((id) => !known.has(id));
    if (unknown.length > 0) faults.push(noGroups(card, path, unknown));
    if (strangers.length > 0) after = putAt(after, path, listAt(after, path).filter(isGroup));
  }
  return { after, faults };
}

const listAt = (values: Values, path: string): readonly string[] => {
  const list = at(values, path);
  return Array.isArray(list) ? list : [];
};

const noGroups = ({ id }: Card, path: string, groups: readonly string[]): Problem =>
  fail(
    `secsuite-validator-${id}-invalid-type-${path}-user-groups`,
    `These user groups do not exist: ${groups.slice(0, most).join(', ')}.`,
  );

/** Nothing of what is gone or is the suite's own; the rest as it was meant. */
const taken = ({ removed, ours, deprecated, names, meant }: Card, sent: Values): Values =>
  Object.fromEntries(
    Object.entries(sent)
      .filter(
        ([name, value]) =>
          !removed.has(name) && !ours.has(name) && !(deprecated.has(name) && (isEmpty(value) || !names.includes(name))),
      )
      .map(([name, value]) => [name, meant(name, value)]),
  );

const only = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]));

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** With what keeps its value where nothing was sent. A mask stands for the secret that is set. */
function completed(card: Card, before: Values, sent: Values, context: ConditionContext): Values {
  const keeps = (name: string): boolean => card.readonly.has(name) || card.ours.has(name) || card.deprecated.has(name);
  const kept = card.names.filter((name) => keeps(name) && !Object.hasOwn(sent, name));
  const known: Values = { ...sent, ...Object.fromEntries(kept.map((name) => [name, before[name]])) };
  const open = card.secrets.reduce(
    (values, path) => (at(values, path) === mask ? putAt(values, path, at(before, path)) : values),
    known,
  );
  const idle = card.conditional.filter(
    ([path, condition]) => at(open, path) === undefined && !holds(condition, open, context),
  );
  return idle.reduce((values, [path]) => putAt(values, path, at(before, path)), open);
}

/** Of what nobody knows, so much is repeated. */
const most = 50;
const longest = 100;

const code = ({ id }: Card, kind: string, name: string): string =>
  `secsuite-validator-${id}-validate_matching_fields-${kind}-name-${name}`;

function matching(card: Card, whole: Values, meant: Values): Problem[] {
  const missing = card.names.filter((name) => !Object.hasOwn(whole, name));
  const unknown = Object.keys(meant).filter((name) => !card.names.includes(name));
  return [
    ...missing.map((name) => fail(code(card, 'missing', name), `The setting ${name} is missing.`)),
    ...unknown
      .slice(0, most)
      .map((name) => name.slice(0, longest))
      .map((name) => fail(code(card, 'unknown', name), `The setting ${name} does not exist.`)),
  ];
}

function faultOf(card: Card, name: string, value: unknown): Problem | undefined {
  const wrong = card.wrong(name, value);
  if (wrong) return fail(wrong.code, wrong.message, wrong.data);
  const misfit = card.misfit(name, value);
  if (misfit === undefined) return undefined;
  const said = `${card.title(name)} must be ${misfit.kind}.`;
  return fail(`secsuite-validator-${card.id}-invalid-type-${name}-${misfit.format}`, said);
}

/** What was said of it is said twice where there is anything: clients look in either place. */
const fail = (code: string, message: string, data: Details | null = null): Problem =>
  problemFrom(400, { code, message, data }, data === null ? {} : { also: [data] });

/** The first of them, with the others. */
export function refuseFor(faults: readonly Problem[]): void {
  const [first, ...others] = faults;
  if (first === undefined) return;
  const reasons = others.map(({ code, message, details }) => ({
    code,
    message,
    data: Object.keys(details).length > 0 ? details : null,
  }));
  throw first.with({}, { others: reasons });
}
