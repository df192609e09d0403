// Config rules with the files and folders of this site.
import { join } from 'node:path';
import type { Services } from '#site/extension.ts';
import { blockOf } from '../../addresses/block.ts';
import * as texts from '../../disk/texts.ts';
import type { Shared } from '../../shared.ts';
import { baseOf } from './ruled.ts';
import { createConfigRules } from './rules.ts';

type RuleDeps = Pick<Shared, 'settings' | 'bans' | 'client' | 'files' | 'paths' | 'defends'>;

export const createSuiteRules = (
  { site, operator }: Services,
  { settings, bans, client, files, paths: { isServed }, defends }: RuleDeps,
) =>
  createConfigRules({
    ...{ settings, switches: { isRunning: defends }, files: { ...texts, replace: files.replace, isServed } },
    ...{ dialect: operator.security.front, data: operator.data },
    newestBans: async (most) => (await bans.newest(most)).map(({ host }) => host),
    isAuthorised: (host) => client.authorised.isAuthorised(blockOf(host)!),
    paths: {
      base: baseOf(site.url),
      uploads: operator.uploadsPath,
      plugins: 'wp-content/plugins',
      themes: 'wp-content/themes',
    },
    appFile: join(operator.data, 'app.env.rules'),
  });
