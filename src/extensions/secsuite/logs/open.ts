// The security log of a site: each entry says which request it belongs to.
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { currentRequest } from '#kernel/request.ts';
import type { Services } from '#site/extension.ts';
import type { Settings } from '../settings/types.ts';
import type { Switches } from '../switches/switches.ts';
import { logKey } from './chain.ts';
import { namesFile } from './log-file.ts';
import { createLogs } from './logs.ts';

interface LogDeps {
  readonly settings: Pick<Settings, 'of' | 'along'>;
  readonly switches: Pick<Switches, 'isRunning'>;
}

export function openLogs(
  { store, clock, log, site, program, seal, operator }: Services,
  { settings, switches }: LogDeps,
) {
  settings.along(
    'global',
    namesFile(() => randomBytes(18).toString('base64url')),
  );
  return createLogs({
    store,
    clock,
    log,
    isRunning: switches.isRunning,
    url: site.url,
    hash: seal.keyedHash(logKey),
    checkpoints: operator.security.logCheckpoints,
    asking: () => {
      const request = currentRequest();
      return request && { ...request, startedAt: clock().getTime() - (performance.now() - request.began) };
    },
    background: program.isServing ? 'wp-cron' : 'wp-cli',
    settings: () => settings.of('global'),
  });
}
