// What may be asked of the hub connector.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Doing, DoingFor } from '#site/identity/doing.ts';
import type { Asked, Logout } from './logout.ts';
import type { Accounts } from './settings.ts';
import type { createLooking } from './state.ts';
import type { Plans } from './sync.ts';

/** What the handlers use. */
export interface HubConnector {
  readonly asked: Asked;
  readonly logout: Logout;
  readonly plans: Plans;
  readonly looking: ReturnType<typeof createLooking>;
  readonly accounts: Accounts;
  readonly doing: DoingFor;
}

const right = 'manage_options';

export function routes({ route, t }: Toolkit<HubConnector>): Route[] {
  const shared = {
    method: ['POST', 'PUT', 'PATCH'],
    access: right,
    envelope: {
      success: (data: unknown) => ({ success: true, data }),
      failure: ({ message }: { readonly message: string }) => ({ error: message }),
    },
  } as const;
  const doingOf = (caller: Caller, { doing }: HubConnector): Doing =>
    doing(credentialOf(caller), (asker) => {
      if (!asker.can(right)) throw kernelErrors.forbidden();
    });
  return [
    route({
      ...shared,
      path: 'sync',
      summary: 'Send a report to the hub',
      args: { force: t.boolean({ default: false, description: 'Send the report even if nothing has changed.' }) },
      answers: {
        200: t.object({
          success: t.boolean(),
          data: t.object({
            synced_at: t.nullable(t.string()),
            skipped: t.boolean(),
            reason: t.nullable(t.string()),
            membership: t.string(),
            hub_site_id: t.integer(),
          }),
        }),
      },
      handle: ({ args, caller, use }) => use.asked(args.force, doingOf(caller, use)),
    }),
    route({
      ...shared,
      path: 'logout',
      summary: 'Leave the hub, and delete its key',
      answers: { 200: t.object({ success: t.boolean(), data: t.object({ remote: t.optional(t.string()) }) }) },
      handle: ({ caller, use }) => use.logout(doingOf(caller, use)),
    }),
  ];
}
