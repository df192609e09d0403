// Makes the smaller copies of pictures again, after a change of the sizes or the loss of files.

import { sql } from 'kysely';
import { attachment } from '#site/content/types.ts';
import type { Entry } from '#site/extension.ts';
import { createBulkRuns } from './bulk-run.ts';
import { config } from './config.ts';
import { thumbnailErrors } from './errors.ts';
import { type RegenerateThumbnails, routes } from './routes.ts';
import { tables } from './tables.ts';
import { createThumbnails } from './thumbnails.ts';

export const regenerateThumbnails: Entry<RegenerateThumbnails> = (tools) => ({
  name: 'regenerate-thumbnails',
  title: 'Regenerate thumbnails',
  about: 'Makes the smaller copies of pictures again, and updates the posts that show them.',
  config,
  tables,
  errors: thumbnailErrors,
  nouns: (services) => {
    const thumbnails = createThumbnails(services);
    return { thumbnails, runs: createBulkRuns(services, thumbnails), doing: services.identity.doing };
  },
  on: {
    'settings.changed': ({ group, before }, { thumbnails }) =>
      group === 'site' ? thumbnails.icons.remember(before.site_icon) : undefined,
  },
  extends: {
    [attachment.name]: {
      filters: {
        is_regeneratable: tools.filter({
          schema: tools.t.optional(tools.t.boolean({ description: 'Only files whose thumbnails can be regenerated.' })),
          where: (isWanted) => (isWanted ? isRegeneratable : undefined),
        }),
        exclude_site_icons: tools.filter({
          schema: tools.t.optional(
            tools.t.boolean({ description: 'Without pictures that are or were the site icon.' }),
          ),
          where: (isWanted, { thumbnails }) => (isWanted ? sql`not ${thumbnails.icons.isMarked}` : undefined),
        }),
      },
      erased: async (tx, { id }) => {
        await sql`delete from thumbnail_site_icons where attachment = ${id}`.execute(tx);
      },
    },
  },
  routes: { 'regenerate-thumbnails/v1': routes(tools) },
});

const isRegeneratable = sql<boolean>`(
  posts.mime_type = 'application/pdf' or (posts.mime_type like 'image/%' and posts.mime_type <> 'image/svg+xml'))`;
