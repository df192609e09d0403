// The list of installed software, and the scan for old sites.
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { relations } from '../../base.ts';
import { softwareKinds } from '../../software/inventory.ts';
import { describeSite } from './old-sites.ts';
import type { ListedSoftware, OldSite, VersionManagement } from './version-management.ts';

interface Use {
  readonly versions: VersionManagement;
}

type Managers = Access<undefined, Use, object>;

export function packageRoutes({ route, resource, t }: Toolkit<Use>, manager: Managers): Route[] {
  const packages = resource({
    name: 'secsuite-package',
    fields: {
      id: t.fixed(t.string({ description: 'The key in the setting `packages`.' })),
      name: t.fixed(t.string()),
      file: t.fixed(t.string()),
      kind: t.fixed(t.choice(softwareKinds)),
      version: t.fixed(t.string()),
      active: t.fixed(t.boolean()),
      update: t.fixed(
        t.nullable(t.string({ description: 'Newest known version, if it is newer than the installed one.' })),
      ),
      held_back: t.fixed(
        t.nullable(t.string({ description: 'Why the newest version is not installed yet, and when it will be.' })),
      ),
    },
    compute: { id: (one: ListedSoftware) => one.id, held_back: ({ heldBack }) => heldBack },
  });
  return [
    route({
      method: 'GET',
      path: 'version-management/packages',
      summary: 'List the installed software',
      access: manager,
      answers: { 200: t.list(t.object(packages.fields)) },
      handle: async ({ use }) => (await use.versions.packages()).map((one) => packages.present(one, 'view', undefined)),
    }),
  ];
}

const path = 'version-management/old-site-scan';

export function oldSiteRoutes({ route, resource, t }: Toolkit<Use>, manager: Managers): Route[] {
  const oldSite = resource({
    name: 'secsuite-old-site',
    relations,
    fields: {
      id: t.fixed(t.string({ description: 'The MD5 hash of the path.' })),
      component: t.fixed(t.choice(['old-site-scan'])),
      title: t.fixed(t.string({ description: 'Path.' })),
      description: t.fixed(t.string()),
      severity: t.fixed(t.choice(['medium'])),
      muted: t.fixed(t.boolean()),
    },
    compute: {
      component: (_: OldSite) => 'old-site-scan',
      title: (site) => site.path,
      description: (site) => describeSite(site.version),
      severity: () => 'medium',
    },
    links: ({ id, muted }) => {
      const [relation, action, title] = muted
        ? ['unmute-issue', 'unmute', 'Unmute']
        : (['mute-issue', 'mute', 'Mute'] as const);
      return { [`secsuite:${relation}`]: [{ href: `/secsuite/v1/${path}/${id}/${action}`, title }] };
    },
  });
  const muting = (action: 'mute' | 'unmute') =>
    route({
      method: 'POST',
      path: `${path}/(?P<id>[a-f0-9]+)/${action}`,
      summary: `${action === 'mute' ? 'Mute' : 'Unmute'} an old site`,
      access: manager,
      args: { id: t.string() },
      resource: oldSite,
      handle: ({ args, use }) => use.versions.mute(args.id, action === 'mute'),
    });
  return [
    route({
      method: 'POST',
      path,
      summary: 'Find old sites on this machine',
      access: manager,
      resource: oldSite,
      several: 'list',
      handle: ({ use }) => use.versions.scan(),
    }),
    muting('mute'),
    muting('unmute'),
  ];
}
