// What is told of the extensions that come with the program, also of those that a deployment names and this version does not have.
import { type Extension, routesOf } from '#site/extension.ts';
import type { BundledCard } from '#site/packages/packages.ts';
import { bundled, separate } from '../config/bundled.ts';
import type { Deployment } from '../config.ts';
import { version } from '../version.ts';

/** What those are called that are to come. */
const toCome: Readonly<Record<string, readonly [name: string, description: string]>> = {
  'security-suite': [
    'Security suite',
    'Bans, lockouts, a request firewall, security keys, user groups, logs and scans.',
  ],
  galleries: ['Galleries', 'Pictures put together in galleries and albums.'],
  'media-folders': ['Media folders', 'Files sorted into folders.'],
  'regenerate-thumbnails': ['Regenerate thumbnails', 'Smaller copies of pictures, made anew.'],
  'image-optimiser': ['Image optimiser', 'Smaller files of the same pictures.'],
};

export function cardsOf(known: readonly Extension[], deployment: Deployment): BundledCard[] {
  const isFitting = (slug: string): boolean => !(slug in separate) || slug in deployment.extensions;
  const here = known.filter(({ name }) => isFitting(name)).map((one) => hereCard(one, deployment));
  const named = new Set(known.map(({ name }) => name));
  return [
    ...here,
    ...Object.keys(bundled)
      .filter((slug) => !named.has(slug))
      .map((slug) => absentCard(slug, deployment)),
  ];
}

function hereCard(extension: Extension, { extensions }: Deployment): BundledCard {
  const { name: slug, title = slug, about = '', always = false, needs = [], provides = [] } = extension;
  return {
    ...{ slug, name: title, description: about, version: version(), always, needs, provides },
    namespaces: Object.keys(routesOf(extension)),
    on: extensions[slug] === true,
    here: true,
  };
}

function absentCard(slug: string, { extensions }: Deployment): BundledCard {
  const [name, description] = toCome[slug] ?? [slug, ''];
  return {
    ...{
      slug,
      name,
      description,
      version: version(),
      namespaces: bundled[slug] ?? [],
      always: false,
      needs: [],
      provides: [],
    },
    on: extensions[slug] === true,
    here: false,
  };
}
