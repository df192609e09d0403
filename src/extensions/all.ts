// Every bundled extension, in the order their guards run. A deployment says which are on.
import type { AnyEntry } from '#site/extension.ts';
import { core } from './core/extension.ts';
import { abilities } from './core-abilities/extension.ts';
import { blockEditor } from './core-block-editor/extension.ts';
import { siteHealth } from './core-site-health/extension.ts';
import { embeds } from './embeds/extension.ts';

export const extensions: readonly AnyEntry[] = [core, embeds, siteHealth, blockEditor, abilities];
