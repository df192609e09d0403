// The access matrix: what a route says to a caller before any record or argument is at hand.
import { anyone, type Rule } from './access.ts';
import type { Caller } from './caller.ts';
import type { Route } from './route.ts';

/** `depends`: on the record, on the arguments, or on what has to be looked up. `key`: whoever has the route's own key. */
export type Prospect = 'yes' | 'no' | 'depends' | 'key';

type AnyRule = Rule<unknown, unknown, Record<string, unknown>>;

export function prospectOf({ access, credential }: Route, caller: Caller): Prospect {
  if (credential !== undefined) return 'key';
  if (access === 'public') return 'yes';
  if (typeof access === 'string') return caller.can(access) ? 'yes' : 'no';
  return judged(access as unknown as AnyRule, caller);
}

/** The rule is asked with a record and arguments that notice being looked at; a verdict given unseen holds for all. */
function judged({ allow }: AnyRule, caller: Caller): Prospect {
  let looked = false;
  const seen =
    <T>(answer: T) =>
    (): T => {
      looked = true;
      return answer;
    };
  const unknown = new Proxy(
    {},
    { get: seen(undefined), has: seen(false), ownKeys: seen([]), getOwnPropertyDescriptor: seen(undefined) },
  );
  try {
    const verdict = allow(caller, unknown, unknown);
    if (verdict instanceof Promise) {
      verdict.catch(() => {});
      return 'depends';
    }
    if (looked) return 'depends';
    return verdict === true ? 'yes' : 'no';
  } catch {
    return looked ? 'depends' : 'no';
  }
}

/** One sentence for the person who reads about a route. */
export function whoMay({ access, credential }: Route): string {
  if (credential !== undefined) return 'API clients with the key of this route.';
  if (access === 'public') return 'All visitors.';
  if (typeof access === 'string') return `Accounts with the capability \`${access}\`.`;
  if ((access.allow as unknown) === anyone) return 'All visitors.';
  if (access.who !== undefined) return access.who;
  return access.find === undefined ? 'Depends on the account.' : 'Depends on the account and on the record.';
}
