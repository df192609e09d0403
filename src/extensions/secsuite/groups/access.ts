// Who may: `secsuite_manage`, asked anew at every request and held by no role.
import type { Rule, Verdict } from '#kernel/access.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Manage } from './manage.ts';

type OfManagers = Rule<undefined, unknown, object>;

export interface Gate {
  /** At this moment. */
  manages(caller: Caller): boolean;
  /** Managers may; whoever else is told so by this code. */
  judge(caller: Caller, code: string): Verdict;
  readonly manager: OfManagers;
  managerOr(code: string, message?: string): OfManagers;
}

const message = 'Only those who manage the security of this site may do that.';
export const whoManages = 'Security managers (`secsuite_manage`).';

/** Without nouns nobody asks. */
export function gateOf(
  { when, denied }: Pick<Toolkit<never>, 'when' | 'denied'>,
  manage: Pick<Manage, 'allows'> | undefined,
): Gate {
  const manages = (caller: Caller): boolean => manage?.allows(caller) === true;
  const judge = (caller: Caller, code: string, words = message): Verdict => manages(caller) || denied(code, words);
  const managerOr = (code: string, words?: string): OfManagers =>
    when((caller) => judge(caller, code, words), whoManages) as OfManagers;
  return { manages, judge, manager: managerOr('rest_forbidden'), managerOr };
}
