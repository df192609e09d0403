// Makes the files of images smaller.
import { attachment } from '#site/content/types.ts';
import type { Entry, Toolkit } from '#site/extension.ts';
import { config } from './config.ts';
import { imageErrors } from './errors.ts';
import { type BulkPayload, createImages, type ImagePayload } from './images.ts';
import { createOptimiser } from './optimiser.ts';
import { createPresets } from './presets.ts';
import { createRecords } from './records.ts';
import { bulkKind, type ImageOptimiser, routes } from './routes.ts';
import { tables } from './tables.ts';

const imageWork = { name: 'images', atOnce: 2 };

function jobKinds({ job }: Toolkit<ImageOptimiser>) {
  return {
    image: job<ImagePayload>({
      name: 'images.optimize',
      about: 'Makes the files of an image smaller',
      attempts: 3,
      lane: imageWork,
      writes: ['attachment'],
      run: (payload, _, { images }) => images.runImage(payload),
    }),
    bulk: job<BulkPayload>({
      name: bulkKind,
      about: 'Makes the files of all images smaller',
      attempts: 3,
      lane: imageWork,
      writes: ['attachment'],
      run: (payload, work, { images }) => images.runBulk(payload, work),
    }),
  };
}

export const imageOptimiser: Entry<ImageOptimiser> = (tools) => {
  const { t, field } = tools;
  const { image, bulk } = jobKinds(tools);
  return {
    name: 'image-optimiser',
    title: 'Image optimizer',
    about: 'Makes the files of images smaller.',
    config,
    tables,
    errors: imageErrors,
    jobs: { kinds: [image, bulk] },
    nouns: (services) => {
      const presets = createPresets(services);
      const records = createRecords(services, services.content.media);
      const queues = { image: services.queueOf(image), bulk: services.queueOf(bulk) };
      const optimiser = createOptimiser({ ...services, records });
      const images = createImages({ ...services, presets, records, optimiser, queues });
      return { presets, records, optimiser, images, jobs: services.jobs, doing: services.identity.doing };
    },
    on: {
      'media.added': ({ post }, { images }) =>
        post.mime_type.startsWith('image/') ? images.afterUpload(post.id) : undefined,
      'media.copied': ({ id }, { images }) => images.afterCopies(id),
    },
    extends: {
      [attachment.name]: {
        fields: {
          imgopt: field({
            schema: t.fixed(
              t.optional(
                t.anyOf([t.string(), t.free()], {
                  context: ['view', 'edit'],
                  description: 'Space saved by optimizing the image, or why there is none.',
                }),
              ),
            ),
            of: (ids, { records }) => records.shown(ids),
          }),
        },
        erased: async (tx, { id }) => {
          await tools.sql`delete from imgopt_images where post_id = ${id}`.execute(tx);
        },
      },
    },
    routes: { 'imgopt/v1': routes(tools) },
  };
};
