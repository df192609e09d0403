// Files that tests send to a site, and what lies on its disk and in its store then.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import type { Answer, TestSite } from './site.ts';

export const media = '/api/core/v2/media';

export const disposition = (name: string): string => `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;

/** As the body itself. */
export const send = (
  site: TestSite,
  role: string,
  name: string,
  body: Uint8Array | string,
  query = '',
): Promise<Answer> =>
  site.as(role).post(`${media}${query}`, Buffer.from(body as string), {
    'content-type': 'application/octet-stream',
    'content-disposition': disposition(name),
  });

const filesIn = (folder: string): string[] => {
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ name }) => name);
};

/** The names of all files that a site keeps in its own folder. */
export const kept = ({ config }: TestSite): string[] => filesIn(join(config.data, 'media')).sort();

/** What still lies where uploads arrive. */
export const aside = ({ config }: TestSite): string[] => filesIn(join(config.data, 'arriving'));

/** What the store knows of files: their records, and the names that are taken. */
export async function known(site: TestSite) {
  const { db }: Store<ContentTables> = site.app.services.store;
  const [posts, files, names] = await Promise.all([
    db.selectFrom('posts').select('id').where('type', '=', 'attachment').execute(),
    db.selectFrom('media').select('post_id').execute(),
    db.selectFrom('media_paths').select('path').orderBy('path').execute(),
  ]);
  return { posts: posts.length, files: files.length, names: names.map(({ path }) => path) };
}

/** Nothing of any file: not on the disk, not in the store. */
export const nothing = { posts: 0, files: 0, names: [], kept: [], aside: [] };
export const left = async (site: TestSite) => ({ ...(await known(site)), kept: kept(site), aside: aside(site) });

/** A file of a site, by the address that the site tells. */
export async function fetched(site: TestSite, address: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${site.origin}${new URL(address).pathname}`, { headers });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** What tests of the image optimizer ask a site. */
export function imageOptimizer(site: TestSite) {
  const admin = site.as('administrator');
  return {
    admin,
    /** An action, or a list of presets. */
    post: async (body: unknown) => (await admin.post('/api/imgopt/v1/preset_configs', body)).body,
    record: async (id: number) => (await admin.get(`${media}/${id}?context=edit`)).body,
  };
}

/** The colour of the middle of each quarter, from left to right and from above. */
export async function quarters(bytes: Buffer): Promise<string[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): string => {
    const start = (Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * info.channels;
    return nearest([...data.subarray(start, start + 3)]);
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

const nearest = ([red = 0, green = 0, blue = 0]: number[]): string => {
  if (red > 128 && green > 128 && blue > 128) return 'white';
  if (red > 128 && green > 128) return 'yellow';
  if (red > 128) return 'red';
  if (green > 128) return 'green';
  return blue > 128 ? 'blue' : 'black';
};
