// Whether a setting or a tool means anything just now. All parts of a condition that are present must hold.
import type { Settler } from '#kernel/args/checks.ts';
import { compile } from '#kernel/args/validate.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Condition, ToolCard } from '../module.ts';
import { at, type Values } from './types.ts';

/** What conditions ask of the suite and of where it runs. */
export interface ConditionContext {
  /** Which web server stands in front. */
  readonly front: string;
  isActive(module: string): boolean;
  /** Whether what is being tried out is on. */
  isOn(flag: string): boolean;
}

/** There is one edition of the suite, and it is whole. */
const edition = 'pro';

export function holds(condition: Condition, values: Values, context: ConditionContext): boolean {
  const {
    settings,
    'server-type': fronts = [context.front],
    'install-type': wanted = edition,
    'active-modules': modules = [],
    'user-groups': lists = [],
    'feature-flags': flags = [],
  } = condition;
  return (
    fits(settings, values) &&
    fronts.includes(context.front) &&
    wanted === edition &&
    modules.every((id) => context.isActive(id)) &&
    lists.every((path) => namesGroups(at(values, path))) &&
    flags.every((flag) => context.isOn(flag))
  );
}

/** As above, where the settings of several modules are asked for. */
export const toolHolds = (
  { settings = {}, 'active-modules': modules = [] }: NonNullable<ToolCard['condition']>,
  of: (module: string) => Values,
  context: ConditionContext,
): boolean =>
  Object.entries(settings).every(([id, schema]) => fits(schema, of(id))) && modules.every((id) => context.isActive(id));

const namesGroups = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

const settlers = new WeakMap<Schema, Settler>();

function fits(schema: Schema | undefined, values: Values): boolean {
  if (schema === undefined) return true;
  const settler = settlers.get(schema) ?? compile(schema);
  settlers.set(schema, settler);
  return settler.check(values, 'settings') === undefined;
}
