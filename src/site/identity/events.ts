// What identity raises.
import type { Attempt } from './checks.ts';
import type { Session } from './sessions/rows.ts';
import type { LoginFailure, User } from './users/user.ts';

declare module '../platform/events.ts' {
  interface SiteEvents {
    'login.succeeded': { readonly user: User; readonly by: Attempt['by']; readonly from: Origin };
    'login.failed': {
      /** What was given as the name, shortened; never the password. */
      readonly login: string;
      /** The user it names, if there is one. */
      readonly user: User | undefined;
      readonly reason: LoginFailure;
      readonly by: Attempt['by'];
      readonly from: Origin;
    };
    'session.ended': { readonly user: User; readonly sessions: number };
    /** At most once an hour for each. */
    'session.used': { readonly session: Session; readonly from: Origin };
    'user.created': { readonly user: User };
    'user.changed': { readonly user: User; readonly before: User };
    /** What was theirs goes to the user `reassign`, or goes with them. */
    'user.deleted': { readonly user: User; readonly reassign: number | undefined };
    'password.changed': { readonly user: User };
    /** Taken away because somebody who may do less had set it: they choose a new one by a link. */
    'password.withdrawn': { readonly user: User };
    'password.reset_requested': { readonly user: User; readonly from: Origin };
    /** `by`: who made it, 0 at the command line. */
    'application_password.created': { readonly user: User; readonly name: string; readonly by: number };
    'application_password.revoked': { readonly user: User; readonly name: string };
  }
}
