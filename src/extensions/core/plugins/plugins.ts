// What the site can do beyond its core, as clients know it: plugins, each of which is on or off.
import { fold } from '#lib/fold.ts';
import type { Program } from '#site/extension.ts';

export interface Plugin {
  /** `galleries/galleries`, as clients name them. */
  readonly plugin: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly status: 'active' | 'inactive';
}

/** What those that come with the program are called. */
const bundled: Readonly<Record<string, readonly [name: string, description: string]>> = {
  'security-suite': [
    'Security suite',
    'Bans, lockouts, a request firewall, security keys, user groups, logs and scans.',
  ],
  galleries: ['Galleries', 'Pictures put together in galleries and albums.'],
  'media-folders': ['Media folders', 'Files sorted into folders.'],
  'regenerate-thumbnails': ['Regenerate thumbnails', 'Smaller copies of pictures, made anew.'],
  'image-optimiser': ['Image optimiser', 'Smaller files of the same pictures.'],
  'hub-connector': ['Hub connector', 'Looks after this site together with others.'],
  'test-data': ['Test data', 'Content to try things with, and to take away again.'],
  'cross-sell': ['Cross-sell', 'Recommendations beside what is read.'],
  embeds: ['Embeds', 'Things of other sites shown here, and things of this site shown there.'],
};

export interface Plugins {
  list(asked: { readonly search?: string; readonly status?: readonly string[] }): readonly Plugin[];
  find(plugin: string): Plugin | undefined;
}

export function createPlugins({ version, extensions }: Program): Plugins {
  const slugs = [...new Set([...Object.keys(bundled), ...Object.keys(extensions)])];
  const all = slugs.map((slug): Plugin => {
    const [name, description] = bundled[slug] ?? [slug, ''];
    const status = extensions[slug] === true ? 'active' : 'inactive';
    return { plugin: `${slug}/${slug}`, slug, name, description, version, status };
  });
  return {
    list({ search = '', status = [] }) {
      const term = fold(search.trim());
      return all.filter((one) => {
        const isFound = [one.name, one.description, one.slug].some((text) => fold(text).includes(term));
        return isFound && (status.length === 0 || status.includes(one.status));
      });
    },
    find: (plugin) => all.find((one) => one.plugin === plugin),
  };
}
