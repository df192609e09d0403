// The tools, put together from what they work with.
import { join } from 'node:path';
import { knocking } from '#kernel/knock.ts';
import type { Services } from '#site/extension.ts';
import { foundIn } from '../client/finding.ts';
import type { Ground } from '../conditions.ts';
import type { ConfigRules } from '../config-rules/rules.ts';
import { rightsOf } from '../disk/rights.ts';
import type { Manage } from '../groups/manage.ts';
import type { Logs } from '../logs/logs.ts';
import type { Module } from '../module.ts';
import type { Settings } from '../settings/types.ts';
import { renumberedIn } from './contacts.ts';
import { doingsOf } from './doings.ts';
import { createMirror } from './mirror.ts';
import type { SecretsKey } from './secrets-key.ts';
import { createTools } from './tools.ts';

interface Needs {
  readonly settings: Settings;
  readonly ground: Ground;
  readonly logs: Pick<Logs, 'write' | 'operation'>;
  readonly manage: Pick<Manage, 'behalfOf'>;
  readonly configRules: ConfigRules;
  readonly secretsKey: SecretsKey;
  modules(): readonly Module[];
}

export function createSuiteTools(services: Services, needs: Needs) {
  const { store, clock, identity, events, site, clients, ownSite, sessionKey, operator } = services;
  const { settings, logs, manage, secretsKey, configRules } = needs;
  const mirror = createMirror(ownSite, site.url);
  const doings = doingsOf({
    ...{
      store,
      clock,
      events,
      settings,
      logs,
      sessionKey,
      secretsKey,
      configRules,
      users: identity.users,
      url: site.url,
    },
    behalf: ({ caller }) => caller && manage.behalfOf(caller),
    renumbered: (from, to) => renumberedIn(settings, from, to),
    ...{ named: ownSite.addresses, seen: mirror.look },
    rights: () => rightsOf(operator.data, looked(operator.data, settings)),
    detect() {
      const knock = knocking();
      return knock && foundIn(knock.peer, knock.headers, clients);
    },
  });
  return { tools: createTools({ ...needs, doings }), mirror };
}

/** What is there only sometimes is looked at when it is. */
function looked(data: string, settings: Pick<Settings, 'of'>) {
  const { log_location, nginx_file } = settings.of<{ log_location: string; nginx_file: string }>('global');
  const { location } = settings.of<{ location?: string }>('backup');
  const folders = [data, ...['uploads', 'media', 'exports', 'backups'].map((name) => join(data, name)), log_location];
  const secrets = [join(data, 'secret'), join(data, 'app.env.rules'), nginx_file];
  const paths = (all: readonly (string | undefined)[]) => [...new Set(all.filter((path) => !!path))] as string[];
  return [
    ...paths([...folders, location]).map((path) => ({ path, kind: 'folder' as const })),
    ...paths(secrets).map((path) => ({ path, kind: 'secret' as const })),
  ];
}
