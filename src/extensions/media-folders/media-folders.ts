// Everything that the routes of media folders use, put together.
import type { SiteServices } from '#site/services.ts';
import type { Store } from '#store/store.ts';
import { createFolderEdits, createFolderViews, createStoreSizes } from './caller-folders.ts';
import { createFileFolders } from './file-folders.ts';
import { createFolderTrees } from './folder-tree.ts';
import { createFolderGallery } from './gallery.ts';
import { createPreferences } from './preferences.ts';
import { createPublicFolders, createPublicKey } from './public-folders.ts';
import type { SettingsGroup } from './settings.ts';
import type { Tables } from './tables.ts';
import { createCsvTransfers, createImports } from './transfers.ts';
import { createTreeWrites } from './tree-writes.ts';

export type MediaFolders = ReturnType<typeof createMediaFolders>;

type Deps = Pick<
  SiteServices,
  'clock' | 'settings' | 'identity' | 'content' | 'files' | 'rateLimits' | 'log' | 'events'
> & {
  readonly store: Store<Tables>;
  readonly group: SettingsGroup;
};

export function createMediaFolders(deps: Deps) {
  const trees = createFolderTrees(deps);
  const gallery = createFolderGallery(deps);
  const all = { ...deps, trees, gallery, writes: createTreeWrites({ ...deps, trees }) };
  const views = createFolderViews(all);
  const endDrawings = deps.content.media.takeDrawings(
    async () => (await deps.settings.read(deps.group)).SVG_SUPPORT === '1',
  );
  return {
    endDrawings,
    gallery,
    views,
    edits: createFolderEdits(all, views.counts),
    storeSizes: createStoreSizes(all),
    preferences: createPreferences(all),
    csv: createCsvTransfers(all),
    imports: createImports(all),
    publicKey: createPublicKey(all),
    publicFolders: createPublicFolders(all),
    fileFolders: createFileFolders(all),
  };
}
