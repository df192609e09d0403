// The interface for those only who work on the site: what everybody may read on its pages is not handed out in lists besides.
import { Problem } from '#kernel/problem.ts';
import type { Kinds } from '#site/content/types.ts';
import type { Guard, Known, Refusal } from '#site/hooks/guards.ts';

interface Needs {
  readonly kinds: Kinds;
  isRestricted(): boolean;
}

const root = '/core/v2/';
const reads = new Set(['GET', 'HEAD']);

export function restricting({ kinds, isRestricted }: Needs): Guard {
  const refused = (_knock: unknown, known: Known): Refusal | undefined => {
    if (!isRestricted()) return undefined;
    const wanted = capabilityFor(known.asked, kinds);
    return wanted === undefined || known.can(wanted) ? undefined : { problem: refusal(known) };
  };
  return {
    keeps: ({ url }) => !isRestricted() || !mayBeInterface(url),
    known: refused,
    // What is closed is not read by way of a search either.
    led: refused,
  };
}

/** What whoever reads this needs; nothing where it stays open. */
function capabilityFor(asked: Known['asked'], kinds: Kinds): string | undefined {
  if (asked?.route === undefined || !asked.route.startsWith(root) || !reads.has(asked.method)) return undefined;
  const [base = '', rest] = asked.route.slice(root.length).split(/\/(.*)/s);
  if (base === 'users') return isOfUsers(rest) ? 'list_users' : undefined;
  return fixed[base] ?? [...kinds.types, ...kinds.taxonomies].find((kind) => kind.base === base)?.capabilities.edit;
}

/** Not of whoever asks; and what lies below a user is shown to nobody else anyway. */
const isOfUsers = (rest: string | undefined): boolean =>
  rest === undefined || (rest.startsWith('(?P<') && !rest.includes('/'));

const fixed: Readonly<Record<string, string>> = {
  comments: 'moderate_comments',
  types: 'edit_posts',
  statuses: 'edit_posts',
};

const refusal = ({ user }: Known): Problem =>
  new Problem(
    user === undefined ? 401 : 403,
    'secsuite_rest_api_access_restricted',
    'This site shows its lists to those only who work on it.',
  );

/** However it is spelt. One too many costs a moment, one too few would show what is closed. */
function mayBeInterface(url: string): boolean {
  try {
    return /\/(core|wp)\/v2|rest_route/i.test(decodeURIComponent(url));
  } catch {
    return true;
  }
}
