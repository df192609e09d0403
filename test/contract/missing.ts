// What the contract asks for and nothing serves yet. Written by remember.ts; contract.test.ts fails when it is out of date.
import type { Deployment, Missing } from './checker.ts';

const both = {
  namespaces: ['gallery-ai/v1', 'gallery-convert/v1'],
  routes: [
    '/gallery-ai/v1',
    '/gallery-convert/v1',
    '/gallery-ai/v1/create-ai-images',
    '/gallery-ai/v1/download-image',
    '/gallery-convert/v1/convert-gallery',
    '/gallery-convert/v1/bulk-convert',
    '/gallery-convert/v1/process-gallery',
  ],
};

export const missing: Readonly<Record<Deployment, Missing>> = {
  a: {
    authentication: false,
    namespaces: [...both.namespaces],
    routes: [
      ...both.routes,
      '/secsuite/v1/strong-passwords/scan',
      '/secsuite/v1/strong-passwords/scan/(?P<id>[\\d]+)/mute',
      '/secsuite/v1/strong-passwords/scan/(?P<id>[\\d]+)/unmute',
    ],
  },
  b: {
    authentication: false,
    namespaces: both.namespaces,
    routes: both.routes,
  },
};
