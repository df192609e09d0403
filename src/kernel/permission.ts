import type { Asked, Rule, Verdict } from './access.ts';
import type { Caller } from './caller.ts';
import { kernelErrors } from './errors.ts';
import { Problem } from './problem.ts';
import type { Resource } from './resource.ts';
import type { Method } from './route.ts';
import type { Entry, Group } from './table.ts';

type AnyRule = Rule<unknown, unknown, Record<string, unknown>>;
type Args = Readonly<Record<string, unknown>>;

const asProblem = (verdict: Verdict): Problem | undefined => {
  if (verdict === true) return undefined;
  if (verdict === false) return kernelErrors.forbidden();
  return typeof verdict === 'function' ? verdict() : verdict;
};

/** What one caller may do at one path. The record is found once, however often it is asked about. */
export class Permissions {
  readonly #caller: Caller;
  readonly #pathArgs: Args | undefined;
  readonly #found = new Map<unknown, unknown>();
  readonly #verdicts = new Map<Entry, Problem | undefined>();
  #asked: Asked | undefined;

  /** Without arguments of the path, because they do not fit, no record is looked for. */
  constructor(caller: Caller, pathArgs: Args | undefined) {
    this.#caller = caller;
    this.#pathArgs = pathArgs;
  }

  /** Once the whole request is read. */
  heard(asked: Asked): void {
    this.#asked = asked;
  }

  /** Why this entry is refused, or undefined when it is not. */
  async refusal(entry: Entry, args: Args): Promise<Problem | undefined> {
    if (this.#verdicts.has(entry)) return this.#verdicts.get(entry);
    const refusal = await this.#judge(entry, { ...this.#pathArgs, ...args });
    this.#verdicts.set(entry, refusal);
    return refusal;
  }

  /** Before the arguments are known. What is granted here is asked for again once they are. */
  refusalAhead(entry: Entry): Promise<Problem | undefined> {
    return this.#judge(entry, this.#pathArgs ?? {});
  }

  async demand(entry: Entry, args: Args): Promise<void> {
    const refusal = await this.refusal(entry, args);
    if (refusal !== undefined) throw refusal;
  }

  /** What was found is gone: from here on it is looked for again. */
  forget(): void {
    this.#found.clear();
    this.#verdicts.clear();
  }

  /** The record the entry's rule speaks of. */
  async record(entry: Entry): Promise<unknown> {
    const { access } = entry.route;
    return typeof access === 'string' ? undefined : this.#find(access as unknown as AnyRule, entry.use);
  }

  async allowed(group: Group, args: Args): Promise<Method[]> {
    const allowed: Method[] = [];
    for (const entry of group.entries) {
      if ((await this.refusal(entry, args)) === undefined) allowed.push(...entry.route.methods);
    }
    return allowed;
  }

  async #judge(entry: Entry, args: Args): Promise<Problem | undefined> {
    const { access } = entry.route;
    if (access === 'public') return undefined;
    if (typeof access === 'string')
      return this.#caller.can(access)
        ? undefined
        : kernelErrors.forbidden(`use this route, which needs the capability \`${access}\``);
    const rule = access as unknown as AnyRule;
    try {
      return asProblem(await rule.allow(this.#caller, await this.#find(rule, entry.use), args));
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }

  async #find(rule: AnyRule, use: unknown): Promise<unknown> {
    if (rule.find === undefined) return undefined;
    if (this.#pathArgs === undefined) throw kernelErrors.noRoute();
    const { find } = rule;
    if (!this.#found.has(find)) this.#found.set(find, Promise.try(find, { ...this.#pathArgs }, use, this.#asked));
    return this.#found.get(find);
  }
}

/** What a caller may do with a record already at hand: rules that would find it are given it instead. */
export async function allowedOnRecord(
  group: Group,
  caller: Caller,
  record: unknown,
  resource: Resource,
  args: Args,
): Promise<Method[]> {
  const finders = findersOf(group, resource);
  // What leads to a record of another resource has not found it: there the rules look for it themselves.
  if (finders === undefined) return new Permissions(caller, args).allowed(group, {});
  const allowed: Method[] = [];
  for (const { route } of group.entries) {
    const { access } = route;
    const rule = access as unknown as AnyRule;
    if (access === 'public') allowed.push(...route.methods);
    else if (typeof access === 'string') allowed.push(...(caller.can(access) ? route.methods : []));
    else if (finders.has(rule.find) && (await allows(rule, caller, record, args))) allowed.push(...route.methods);
  }
  return allowed;
}

type Finders = ReadonlySet<AnyRule['find']>;
const findersKnown = new WeakMap<Group, Map<Resource, Finders | undefined>>();

/**
 * How rules find the records of this resource here, undefined where it is another resource. Rules that find something else cannot judge
 * one of its records.
 */
const findersOf = (group: Group, resource: Resource): Finders | undefined =>
  findersKnown
    .getOrInsertComputed(group, () => new Map())
    .getOrInsertComputed(resource, () => {
      const own = group.entries.filter(({ route }) => (route.resource as unknown) === resource);
      const rules = own.flatMap(({ route: { access } }) =>
        typeof access === 'string' ? [] : [access as unknown as AnyRule],
      );
      return own.length === 0 ? undefined : new Set([undefined, ...rules.map(({ find }) => find)]);
    });

async function allows(rule: AnyRule, caller: Caller, record: unknown, args: Args): Promise<boolean> {
  try {
    return (await rule.allow(caller, rule.find === undefined ? undefined : record, args)) === true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
