// The settings of the site as clients read and send them: title and description are HTML there, and text here.
import type { Caller } from '#kernel/caller.ts';
import { denied } from '#kernel/problem.ts';
import { escapeHtml, unescapeHtml } from '#lib/html.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { Changes, Settings, Values } from '#site/platform/settings/settings.ts';
import type { SiteGroup } from '#site/platform/settings/site.ts';
import type { Sent } from './resource.ts';

export const mayManage = 'manage_options';

const texts = ['title', 'description'] as const;

type Shown = Values<SiteGroup['fields']>;

export interface ShownSettings {
  read(): Promise<Shown>;
  change(sent: Sent, caller: Caller): Promise<Shown>;
}

interface Needs {
  readonly settings: Settings;
  readonly siteGroup: SiteGroup;
  readonly identity: Pick<Identity, 'doing'>;
}

export function createShownSettings({ settings, siteGroup, identity: { doing } }: Needs): ShownSettings {
  return {
    read: async () => shown(await settings.read(siteGroup)),
    async change(sent, caller) {
      const { again } = doing(credentialOf(caller), (asker) => {
        if (!asker.can(mayManage)) throw denied('rest_forbidden', 'You are not allowed to change the settings.');
      });
      const changes = typed(sent) as Changes<SiteGroup['fields']>;
      return shown(await settings.change(siteGroup, changes, caller.id, (tx) => again(tx, undefined)));
    },
  };
}

const shown = (values: Shown): Shown => ({
  ...values,
  title: escapeHtml(values.title),
  description: escapeHtml(values.description),
});

/** What was read can be sent back as it was. */
const typed = (sent: Sent): Sent => ({
  ...sent,
  ...Object.fromEntries(
    texts.flatMap((name) => {
      const value = sent[name];
      return typeof value === 'string' ? [[name, unescapeHtml(value)]] : [];
    }),
  ),
});
