// What bundled extensions bring to the command line, in the order in which --help and docs/settings.md show it: settings of the operator, and
// commands. It stands beside `all.ts` because every command reads it, also those that need no extension: loading all extensions takes
// longer than most commands.
import type { DoctorAction, Family, ListedCommand } from '#cli/command.ts';
import type { OperatorSettings } from '#config/setting.ts';
import { config as crossSell } from './cross-sell/config.ts';
import { config as embeds } from './embeds/config.ts';
import { commands as galleryCommands } from './galleries/commands.ts';
import { config as galleries } from './galleries/config.ts';
import { commands as hubCommands } from './hub/commands.ts';
import { config as hub } from './hub/config.ts';
import { config as hubConnector } from './hub-connector/config.ts';
import { commands as imageCommands } from './image-optimiser/commands.ts';
import { config as imageOptimiser } from './image-optimiser/config.ts';
import { config as mediaFolders } from './media-folders/config.ts';
import { commands as thumbnailCommands } from './regenerate-thumbnails/commands.ts';
import { config as regenerateThumbnails } from './regenerate-thumbnails/config.ts';
import {
  doctorActions as secsuiteActions,
  commands as secsuiteCommands,
  userCommands as secsuiteUserCommands,
} from './secsuite/commands.ts';
import { config as secsuite } from './secsuite/config.ts';
import { commands as testDataCommands } from './test-data/commands.ts';
import { config as testData } from './test-data/config.ts';

export const configs: readonly OperatorSettings[] = [
  embeds,
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

export const commands: readonly ListedCommand[] = [
  ...testDataCommands,
  ...galleryCommands,
  ...thumbnailCommands,
  ...imageCommands,
  ...hubCommands,
  ...secsuiteCommands,
];

/** Further members of the family `user`. */
export const userCommands: Family['members'] = secsuiteUserCommands;

export const doctorActions: readonly DoctorAction[] = secsuiteActions;
