// What the contract asks for and nothing serves yet. Written by remember.ts; contract.test.ts fails when it is out of date.
import type { Deployment, Missing } from './checker.ts';

const both = {
  namespaces: ['gallery-ai/v1', 'gallery-background/v1', 'gallery-convert/v1'],
  routes: [
    '/gallery-ai/v1',
    '/gallery-background/v1',
    '/gallery-convert/v1',
    '/secsuite/rpc/webauthn/register-credential',
    '/secsuite/rpc/webauthn/register-credential/(?P<token>[\\w\\-]+)/create',
    '/secsuite/rpc/webauthn/verify-credential',
    '/secsuite/rpc/webauthn/verify-credential/(?P<token>[\\w\\-]+)/verify',
    '/secsuite/rpc/import/validate',
    '/secsuite/rpc/import/transform',
    '/secsuite/rpc/import/run',
    '/secsuite/rpc/version-management/packages',
    '/secsuite/v1/webauthn/credentials',
    '/secsuite/v1/webauthn/credentials/(?P<id>[\\w\\_\\-]+)',
    '/secsuite/v1/import-export/exports',
    '/secsuite/v1/import-export/exports/(?P<id>[\\w\\-]+)',
    '/secsuite/v1/import-export/sources',
    '/secsuite/v1/import-export/sources/(?P<slug>[\\w\\-]+)',
    '/secsuite/v1/dashboard-available-cards',
    '/secsuite/v1/dashboard-available-cards/(?P<card>[\\w_-]+)',
    '/secsuite/v1/dashboard-static',
    '/secsuite/v1/dashboard/events',
    '/secsuite/v1/version-management/old-site-scan',
    '/secsuite/v1/version-management/old-site-scan/(?P<id>[a-f0-9]+)/mute',
    '/secsuite/v1/version-management/old-site-scan/(?P<id>[a-f0-9]+)/unmute',
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
      '/secsuite/v1/site-scanner/scans',
      '/secsuite/v1/site-scanner/scans/(?P<id>\\d+)',
      '/secsuite/v1/site-scanner/scans/(?P<scan_id>\\d+)/issues',
      '/secsuite/v1/site-scanner/scans/(?P<scan_id>\\d+)/issues/(?P<issue_id>[\\w_-]+)',
    ],
  },
  b: {
    authentication: false,
    namespaces: both.namespaces,
    routes: both.routes,
  },
};
