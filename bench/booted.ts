// A whole site with `examples/hello`, put together as `serve` does it, and somebody who may write.
import { basicOf } from '#test/people.ts';
import { hello } from '../examples/hello/extension.ts';
import { type App, boot, type Surroundings } from '../src/boot/boot.ts';
import { createLog, siteLog } from '../src/commands/log.ts';
import { readConfig } from '../src/config.ts';
import { extensions as bundled } from '../src/extensions/all.ts';

export interface SiteAsked {
  readonly data: string;
  readonly database?: string | undefined;
  readonly log?: string;
  /** Whether the security suite is part of it. */
  readonly suite?: boolean;
}

export interface Booted {
  readonly app: App;
  /** What an administrator sends to be known. */
  readonly credentials: { readonly Authorization: string };
}

export async function booted(asked: SiteAsked, surroundings: Surroundings = {}): Promise<Booted> {
  const config = configOf(asked);
  const app = await boot(config, siteLog(createLog(config.log, process.stderr)), {
    extensions: [...bundled, hello],
    ...surroundings,
  });
  const { users, applicationPasswords } = app.services.identity;
  const writer = await users.add({ login: 'writer', roles: ['administrator'] });
  const { password } = await applicationPasswords.add(writer, { name: 'measuring' });
  return { app, credentials: { Authorization: basicOf(writer.login, password) } };
}

function configOf({ data, database, log = 'warn', suite }: SiteAsked) {
  const config = readConfig({
    flags: { data, port: '0', ...(database && { database }) },
    env: {
      GATEHOUSE_SECRET: 'a secret that only the measuring knows',
      GATEHOUSE_LOG: log,
      // It would work on every picture besides what is measured.
      GATEHOUSE_OPTIMISE_UPLOADS: 'off',
    },
  });
  const { namespaces, extensions } = config.deployment;
  const others = namespaces.filter((one) => suite === undefined || !one.startsWith('secsuite/'));
  const suites = suite ? ['secsuite/rpc', 'secsuite/v1'] : [];
  const deployment = {
    ...config.deployment,
    namespaces: [...others, ...suites, 'hello/v1'],
    extensions: { ...extensions, hello: true, ...(suite !== undefined && { 'security-suite': suite }) },
  };
  return { ...config, deployment };
}
