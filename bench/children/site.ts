// A whole site with `examples/hello`, put together as `serve` does it. Whoever sends credentials may write.

import { hello } from '../../examples/hello/extension.ts';
import { boot } from '../../src/boot.ts';
import { createLog, siteLog } from '../../src/commands/log.ts';
import { readConfig } from '../../src/config.ts';
import { nobody } from '../../src/kernel/caller.ts';
import { given, offer } from '../child.ts';

export interface SiteAsked {
  readonly data: string;
  readonly database?: string;
  readonly log?: string;
}

const { data, database, log = 'warn' } = given<SiteAsked>();
const read = readConfig({
  flags: { data, port: '0', ...(database && { database }) },
  env: { GATEHOUSE_SECRET: 'a secret that only the measuring knows', GATEHOUSE_LOG: log },
});
const deployment = {
  ...read.deployment,
  namespaces: [...read.deployment.namespaces, 'hello/v1'],
  extensions: { ...read.deployment.extensions, hello: true },
};
const writer = { id: 1, can: () => true };
const config = { ...read, deployment };
const app = await boot(config, siteLog(createLog(config.log)), {
  extensions: [hello],
  identify: async ({ headers }) => (headers.authorization === undefined ? nobody : writer),
});
const address = await app.listen();

offer({ port: () => Number(new URL(address).port) }, () => app.close());
