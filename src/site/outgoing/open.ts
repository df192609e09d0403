// Requests to other sites, and to the site itself as its visitors reach it.
import type { Config } from '#config/config.ts';
import { counted } from './counted.ts';
import { createOutgoing, type OutgoingOptions } from './guard.ts';
import { createOwnSite } from './own-site.ts';

type Asking = Omit<OutgoingOptions, 'allowHosts'>;

export const openOutgoing = ({ url, fetchAllowHosts }: Pick<Config, 'url' | 'fetchAllowHosts'>, asking: Asking) => ({
  outgoing: counted(createOutgoing({ ...asking, allowHosts: fetchAllowHosts })),
  ownSite: createOwnSite(url, asking),
});
