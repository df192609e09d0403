// What editors of blocks ask for besides records: pages to link to, the look of the site, a navigation to begin with.
import type { Entry } from '#site/extension.ts';
import { createShares } from '#site/outgoing/shares.ts';
import { createNavigationFallback } from './navigation-fallback.ts';
import { type BlockEditor, routes } from './routes.ts';
import { createSiteArchive } from './site-archive.ts';
import { tables } from './tables.ts';
import { coreBlockEditorErrors, createKeptDetails, createUrlDetails, most } from './url-details.ts';

export const blockEditor: Entry<BlockEditor> = (tools) => ({
  name: 'core-block-editor',
  always: true,
  errors: coreBlockEditorErrors,
  tables,
  nouns: ({ store, clock, site, about, content, identity, outgoing, ownSite }) => ({
    urlDetails: createUrlDetails({
      outgoing,
      ownSite,
      site: site.url,
      kept: createKeptDetails(store, clock),
      shares: createShares(clock, most),
    }),
    archive: createSiteArchive({ content, about }),
    navigation: createNavigationFallback({ content, identity, store }),
    kinds: content.kinds,
    clock,
  }),
  routes: { 'core-block-editor/v1': routes(tools) },
});
