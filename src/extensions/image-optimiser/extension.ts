// Smaller files of the same images.
import { attachment } from '#site/content/types.ts';
import type { Entry } from '#site/extension.ts';
import { config } from './config.ts';
import { imageErrors } from './errors.ts';
import { createPresets } from './presets.ts';
import { type ImageOptimiser, routes } from './routes.ts';
import { tables } from './tables.ts';

export const imageOptimiser: Entry<ImageOptimiser> = (tools) => ({
  name: 'image-optimiser',
  title: 'Image optimizer',
  about: 'Smaller files of the same images.',
  config,
  tables,
  errors: imageErrors,
  nouns: (services) => ({ presets: createPresets(services) }),
  extends: {
    [attachment.name]: {
      erased: async (tx, { id }) => {
        await tools.sql`delete from imgopt_images where post_id = ${id}`.execute(tx);
        await tools.sql`delete from imgopt_locks where post_id = ${id}`.execute(tx);
      },
    },
  },
  routes: { 'imgopt/v1': routes(tools) },
});
