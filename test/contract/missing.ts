// What the contract asks for and nothing serves yet. Written by remember.ts; contract.test.ts fails when it is out of date.
import type { Deployment, Missing } from './checker.ts';

const both = {
  namespaces: ['gallery-ai/v1', 'imgopt/v1', 'gallery-background/v1', 'gallery-convert/v1'],
  routes: [
    '/gallery-ai/v1',
    '/imgopt/v1',
    '/gallery-background/v1',
    '/gallery-convert/v1',
    '/gallery-ai/v1/create-ai-images',
    '/gallery-ai/v1/download-image',
    '/gallery-background/v1/insert-gallery',
    '/gallery-background/v1/insert-album',
    '/gallery-background/v1/insert-image',
    '/gallery-background/v1/crop-images',
    '/gallery-background/v1/resize-image',
    '/gallery-convert/v1/convert-gallery',
    '/gallery-convert/v1/bulk-convert',
    '/gallery-convert/v1/process-gallery',
    '/imgopt/v1/preset_configs',
  ],
};

export const missing: Readonly<Record<Deployment, Missing>> = {
  a: {
    authentication: false,
    namespaces: both.namespaces,
    routes: both.routes,
  },
  b: {
    authentication: false,
    namespaces: both.namespaces,
    routes: both.routes,
  },
};
