// Galleries and albums: content types, how they are shown, and how pictures are put into them.
import { mediaTopic } from '#site/content/tables.ts';
import type { Entry, Services, Toolkit } from '#site/extension.ts';
import type { Queue } from '#site/jobs/job.ts';
import { type CropPayload, createBackground, type InsertPayload } from './background.ts';
import { backgroundRoutes } from './background-routes.ts';
import { config } from './config.ts';
import { createCrops } from './crops.ts';
import { galleryErrors } from './errors.ts';
import { createGalleries } from './galleries.ts';
import { createGalleryData, type SentAlbum, type SentGallery } from './gallery-data.ts';
import { createImages } from './images.ts';
import { lightboxScript } from './lightbox.ts';
import type { GalleryNouns } from './nouns.ts';
import { createGalleryRendering, lightboxPath } from './rendering.ts';
import { albumType, galleryType } from './types.ts';

type Queues = { readonly inserts: Queue<InsertPayload>; readonly cropping: Queue<CropPayload> };

function nounsOf(services: Services, queues: Queues): GalleryNouns {
  const { content, site } = services;
  const galleries = createGalleries(services);
  const data = createGalleryData(content);
  const [images, crops] = [createImages(services), createCrops(content)];
  return {
    galleries,
    data,
    background: createBackground({ ...services, ...queues, galleries, data, images, crops }),
    rendering: createGalleryRendering({ ...content, url: site.url }),
  };
}

const pictureWork = { name: 'galleries', atOnce: 2 };

function jobKinds({ job }: Toolkit<GalleryNouns>) {
  return {
    inserts: job<InsertPayload>({
      name: 'galleries.insert',
      about: 'Puts pictures into a gallery',
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
        { context, description: 'The pictures in their order, and how they are shown.' },
      ),
    ),
    album: t.optional(
      t.object(
        { id: t.optional(number), config: settings, galleries: t.optional(t.list(cover)) },
        { context, description: 'The galleries in their order, and how they are shown.' },
      ),
    ),
  };
}

export const galleries: Entry<GalleryNouns> = (tools) => {
  const { field } = tools;
  const schemas = dataSchemas(tools);
  const { inserts, cropping } = jobKinds(tools);
  return {
    name: 'galleries',
    config,
    errors: galleryErrors,
    title: 'Galleries',
    about: 'Pictures put together in galleries and albums.',
    types: [galleryType, albumType],
    jobs: { kinds: [inserts, cropping] },
    nouns: (services) =>
      nounsOf(services, { inserts: services.queueOf(inserts), cropping: services.queueOf(cropping) }),
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
            said: async (sent, { said, post }, { data }) => ({
              content: await data.albumText(said.content ?? post?.content ?? '', sent as SentAlbum),
            }),
          }),
        },
      },
    },
    render: ({ rendering }) => rendering.rendered,
    pages: () => [
      {
        path: lightboxPath,
        visit: () => ({
          status: 200,
          type: 'text/javascript; charset=UTF-8',
          body: lightboxScript,
          headers: { 'Cache-Control': 'public, max-age=3600' },
        }),
      },
    ],
    routes: { 'gallery-background/v1': backgroundRoutes(tools) },
  };
};
