// What a site is started with: the values of its settings, and what is made of them.
import type { Keys, Media, Operator } from '#lib/operator.ts';
import type { Deployment } from './deployment.ts';
import type { SettingValues } from './setting.ts';
import type { siteSettings } from './settings.ts';

interface SiteValues extends Omit<SettingValues<typeof siteSettings>, 'media'> {
  readonly media: Media;
  /** Of the object store that `media` names; not written to any log. */
  readonly mediaKeys: Keys | undefined;
}

/** The part of the configuration that no extension brings. */
export function ofSite(values: SiteValues, deployment: Deployment) {
  const { adminUser, adminPassword, adminEmail, permalink, categoryBase, tagBase, typeBase, authorBase, ...own } =
    values;
  return {
    ...own,
    url: own.url ?? `http://localhost:${own.port}`,
    /** The first user, made while there is none. Without a password one is generated. */
    admin: { login: adminUser, password: adminPassword, email: adminEmail },
    /** How the addresses of what the site publishes begin. */
    addresses: { post: permalink, category: categoryBase, tag: tagBase, format: typeBase, author: authorBase },
    deployment,
  };
}

/** Extensions add their members to `Operator`. */
export type Config = Operator & Readonly<ReturnType<typeof ofSite>>;
