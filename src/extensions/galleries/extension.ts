// Galleries and albums: content types, how they are shown, and how pictures are put into them.
import type { Page } from '#kernel/http/page.ts';
import { hour } from '#lib/spans.ts';
import { mediaTopic } from '#site/content/tables.ts';
import type { Entry, Services, Toolkit } from '#site/extension.ts';
import { note, type OwnCheck, ok, type Seen } from '#site/health/check.ts';
import type { Queue } from '#site/jobs/job.ts';
import { createAi } from './ai/ai.ts';
import { aiErrors } from './ai/errors.ts';
import { createAiPictures } from './ai/pictures.ts';
import { aiRoutes } from './ai/routes.ts';
import { type AiGroup, aiGroup } from './ai/settings.ts';
import { type CropPayload, createBackground, type InsertPayload } from './background.ts';
import { backgroundRoutes, type GalleryNouns } from './background-routes.ts';
import { config } from './config.ts';
import { createConversions } from './convert/convert.ts';
import { convertErrors } from './convert/errors.ts';
import { convertRoutes } from './convert/routes.ts';
import { createCrops } from './crops.ts';
import { galleryErrors } from './errors.ts';
import { createGalleries } from './galleries.ts';
import { createGalleryData, type SentAlbum, type SentGallery } from './gallery-data.ts';
import { createImages } from './images.ts';
import { lightboxScript } from './lightbox.ts';
import { createGalleryRendering, lightboxPath } from './rendering.ts';
import { tables } from './tables.ts';
import { albumType, galleryType } from './types.ts';

const sweepName = 'galleries.ai-sweep';

interface Queues {
  readonly inserts: Queue<InsertPayload>;
  readonly cropping: Queue<CropPayload>;
  readonly sweeps: Queue<null>;
}

function nounsOf(services: Services, queues: Queues, group: AiGroup): GalleryNouns {
  const { content, site, store } = services;
  const { url } = site;
  const galleries = createGalleries(services);
  const data = createGalleryData({ ...content, store });
  const aiPictures = createAiPictures({ ...services, url });
  const [images, crops] = [createImages({ ...services, aiPictures }), createCrops(content)];
  return {
    galleries,
    data,
    aiPictures,
    sweeps: queues.sweeps,
    ai: createAi({ ...services, group, pictures: aiPictures }),
    conversions: createConversions({ ...services, url, galleries, data, images }),
    background: createBackground({ ...services, ...queues, galleries, data, images, crops }),
    rendering: createGalleryRendering({ ...content, store, url }),
  };
}

const pictureWork = { name: 'galleries', atOnce: 2 };

function jobKinds({ job }: Toolkit<GalleryNouns>) {
  return {
    inserts: job<InsertPayload>({
      name: 'galleries.insert',
      about: 'Adds pictures to a gallery',
      lane: pictureWork,
      writes: ['attachment', galleryType.name],
      run: (payload, work, { background }) => background.runInsert(payload, work),
    }),
    cropping: job<CropPayload>({
      name: 'galleries.crop',
      about: 'Makes the copies that a gallery is shown with',
      lane: pictureWork,
      writes: ['attachment'],
      run: (payload, work, { background }) => background.runCrops(payload, work),
    }),
    sweeping: job<null>({
      name: sweepName,
      about: 'Deletes pictures by prompt that have expired',
      attempts: 3,
      run: (_, __, { aiPictures }) => aiPictures.sweep(),
    }),
  };
}

function dataSchemas({ t }: Toolkit<GalleryNouns>) {
  const flag = t.optional(t.untyped({ description: '1 or 0.' }));
  const text = t.optional(t.string());
  const settings = t.optional(t.free({ description: 'Settings that differ; the others keep their values.' }));
  const number = t.integer();
  const context = ['view', 'edit'] as const;
  const item = t.object({
    id: number,
    status: t.optional(t.choice(['active', 'pending'])),
    src: text,
    title: text,
    alt: text,
    caption: text,
    link: text,
    link_new_window: flag,
    thumb: text,
  });
  const cover = t.object({
    id: number,
    title: text,
    caption: text,
    alt: text,
    cover_image_id: t.optional(number),
    cover_image_url: text,
    link_new_window: flag,
    link_title_gallery: flag,
  });
  return {
    gallery: t.optional(
      t.object(
        { id: t.optional(number), config: settings, items: t.optional(t.list(item)) },
        { context, description: 'The pictures in their order, and their display settings.' },
      ),
    ),
    album: t.optional(
      t.object(
        { id: t.optional(number), config: settings, galleries: t.optional(t.list(cover)) },
        { context, description: 'The galleries in their order, and their display settings.' },
      ),
    ),
  };
}

async function seenOf({ ai }: GalleryNouns): Promise<Seen> {
  const [{ provider, url }, { total, week }] = await Promise.all([ai.settings(), ai.counts()]);
  if (provider === '') return note('no provider is configured');
  if (provider === 'http' && url === '')
    return note('the provider has no URL', 'Run "gatehouse settings set gallery-ai url URL".');
  return ok(`${total} created, ${week} of them this week`);
}

const promptCheck: OwnCheck<GalleryNouns> = {
  name: 'gallery-ai',
  what: 'Pictures by prompt',
  about: 'Whether the site can create pictures from prompts, and how many it has created.',
  badge: 'Performance',
  look: seenOf,
};

const scriptPage: Page = {
  path: lightboxPath,
  visit: () => ({
    status: 200,
    type: 'text/javascript; charset=UTF-8',
    body: lightboxScript,
    headers: { 'Cache-Control': 'public, max-age=3600' },
  }),
};

export const galleries: Entry<GalleryNouns> = (tools) => {
  const { field } = tools;
  const schemas = dataSchemas(tools);
  const group = aiGroup(tools);
  const { inserts, cropping, sweeping } = jobKinds(tools);
  return {
    name: 'galleries',
    config,
    errors: { ...galleryErrors, ...convertErrors, ...aiErrors },
    tables,
    settings: [group],
    title: 'Galleries',
    about: 'Galleries and albums of pictures.',
    types: [galleryType, albumType],
    jobs: {
      kinds: [inserts, cropping, sweeping],
      schedules: [{ name: sweepName, every: hour, add: ({ sweeps }) => sweeps.add(null, { key: sweepName }) }],
    },
    nouns: (services) => {
      const queues = {
        inserts: services.queueOf(inserts),
        cropping: services.queueOf(cropping),
        sweeps: services.queueOf(sweeping),
      };
      return nounsOf(services, queues, group);
    },
    counts: async ({ ai }) => ({ gallery_ai_images: (await ai.counts()).total }),
    health: { checks: [promptCheck] },
    extends: {
      gallery: {
        fields: {
          gallery_data: field({
            schema: schemas.gallery,
            ofText: true,
            rests: ['posts', mediaTopic],
            of: (ids, use) => use.data.gallery(ids),
            said: async (sent, { said, post }, { data }, asker) => ({
              content: await data.galleryText(said.content ?? post?.content ?? '', sent as SentGallery, asker),
            }),
          }),
        },
      },
      album: {
        fields: {
          album_data: field({
            schema: schemas.album,
            ofText: true,
            rests: ['posts', mediaTopic],
            of: (ids, use) => use.data.album(ids),
            said: async (sent, { said, post }, { data }, asker) => ({
              content: await data.albumText(said.content ?? post?.content ?? '', sent as SentAlbum, asker),
            }),
          }),
        },
      },
    },
    render: ({ rendering }) => rendering.rendered,
    pages: ({ aiPictures }) => [aiPictures.page, scriptPage],
    routes: {
      'gallery-background/v1': backgroundRoutes(tools),
      'gallery-convert/v1': convertRoutes(tools),
      'gallery-ai/v1': aiRoutes(tools),
    },
  };
};
