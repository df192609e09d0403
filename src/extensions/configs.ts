// What a configuration may say about each bundled extension, in the order in which --help and README show it. It stands beside
// `all.ts` because every command reads it, also those that need no extension: loading all of them takes longer than most commands.
import type { OperatorSettings } from '#config/setting.ts';
import { config as crossSell } from './cross-sell/config.ts';
import { config as embeds } from './embeds/config.ts';
import { config as hub } from './hub/config.ts';
import { config as hubConnector } from './hub-connector/config.ts';
import { config as secsuite } from './secsuite/config.ts';
import { config as testData } from './test-data/config.ts';

export const configs: readonly OperatorSettings[] = [embeds, crossSell, hub, hubConnector, testData, secsuite];
