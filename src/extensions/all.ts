// Every bundled extension, in the order their guards run. A deployment says which are on.
import type { AnyEntry } from '#site/extension.ts';
import { core } from './core/extension.ts';
import { abilities } from './core-abilities/extension.ts';
import { blockEditor } from './core-block-editor/extension.ts';
import { siteHealth } from './core-site-health/extension.ts';
import { crossSell } from './cross-sell/extension.ts';
import { embeds } from './embeds/extension.ts';
import { galleries } from './galleries/extension.ts';
import { hub } from './hub/extension.ts';
import { hubConnector } from './hub-connector/extension.ts';
import { imageOptimiser } from './image-optimiser/extension.ts';
import { mediaFolders } from './media-folders/extension.ts';
import { regenerateThumbnails } from './regenerate-thumbnails/extension.ts';
import { secsuite } from './secsuite/extension.ts';
import { testData } from './test-data/extension.ts';

export const extensions: readonly AnyEntry[] = [
  core,
  embeds,
  siteHealth,
  blockEditor,
  abilities,
  crossSell,
  hub,
  hubConnector,
  testData,
  mediaFolders,
  imageOptimiser,
  galleries,
  regenerateThumbnails,
  secsuite,
];
