// Sites that trust a publisher of extensions, and what an administrator does with its packages.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestEngine } from './databases.ts';
import type { Shop } from './shop.ts';
import { aSite, type SiteOptions, type TestSite } from './site.ts';

export const plugins = '/api/xsell_pcs/v1/plugincrosssell';

export const trusting = (shop: Shop, more: SiteOptions = {}): SiteOptions => ({
  ...more,
  env: { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key },
});

export const install = (site: TestSite, plugin_slug = 'bell') =>
  site.as('administrator').post(`${plugins}/install_plugin`, { plugin_slug });
export const activate = (site: TestSite, plugin_slug = 'bell') =>
  site.as('administrator').post(`${plugins}/activate_plugin`, { plugin_slug });
export const rings = async (site: TestSite): Promise<string> => (await site.get('/api/bell/v1/ring')).text;
export const ding = '{"ring":"ding"}';
export const isListed = async (site: TestSite): Promise<boolean> =>
  (await site.get('/api/')).body.namespaces.includes('bell/v1');

/** Another process of the same site, on this machine or on one with a data folder of its own. */
export async function another(
  engine: TestEngine,
  { config }: TestSite,
  shop: Shop,
  data = config.data,
  more: SiteOptions = {},
): Promise<TestSite> {
  const { database, media } = config;
  return aSite(engine, trusting(shop, { ...more, config: { data, media, ...(database && { database }) } }));
}

/** Starts the site on another machine, with a copy of the data, where packages find `globalThis.tooLate`. */
export async function whereItFails(
  engine: TestEngine,
  one: TestSite,
  shop: Shop,
  look: (other: TestSite) => Promise<void>,
  options: SiteOptions = {},
): Promise<void> {
  Object.assign(globalThis, { tooLate: true });
  try {
    const machine = aMachine(engine);
    cpSync(one.config.data, machine, { recursive: true });
    const other = await another(engine, one, shop, machine, options);
    await look(other);
    other.log.lines.length = 0;
  } finally {
    Object.assign(globalThis, { tooLate: false });
  }
}

/** The data folder of another machine. */
export function aMachine(engine: TestEngine): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
