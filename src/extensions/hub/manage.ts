// Who may see the sites of a hub, and pause and forget them.
import type { Caller } from '#kernel/caller.ts';
import { denied } from '#kernel/problem.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { DoingFor } from '#site/identity/doing.ts';
import type { SiteDoing } from './sites.ts';

export const capability = 'hub_manage';

export const notYours = () => denied('rest_forbidden', 'You are not allowed to look after the sites of this hub.');

/** On behalf of this caller, who is asked again within the write. */
export type Manage = (caller: Caller) => SiteDoing;

export const createManage =
  (doing: DoingFor): Manage =>
  (caller) =>
    doing(credentialOf(caller), (asker) => {
      if (!asker.can(capability)) throw notYours();
    });
