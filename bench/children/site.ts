// A whole site with `examples/hello`, put together as `serve` does it, and somebody who may write.
import { basicOf } from '#test/people.ts';
import { hello } from '../../examples/hello/extension.ts';
import { boot } from '../../src/boot.ts';
import { createLog, siteLog } from '../../src/commands/log.ts';
import { readConfig } from '../../src/config.ts';
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
const config = { ...read, deployment };
const app = await boot(config, siteLog(createLog(config.log)), { extensions: [hello] });
const { users, applicationPasswords } = app.services.identity;
const writer = await users.add({ login: 'writer', roles: ['administrator'] });
const { password } = await applicationPasswords.add(writer, { name: 'measuring' });
const address = await app.listen();

offer(
  {
    port: () => Number(new URL(address).port),
    credentials: () => ({ Authorization: basicOf(writer.login, password) }),
  },
  () => app.close(),
);
