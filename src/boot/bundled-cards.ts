// What is told of the extensions that come with the program, also of those that a deployment names and this version does not have.
import { type Extension, routesOf } from '#site/extension.ts';
import type { BundledCard } from '#site/packages/packages.ts';
import type { Deployment } from '../config.ts';
import { planned } from '../extensions/planned.ts';
import { version } from '../version.ts';

export function cardsOf(known: readonly Extension[], deployment: Deployment): BundledCard[] {
  const isFitting = ({ name, config }: Extension): boolean =>
    config?.separate !== true || name in deployment.extensions;
  const here = known.filter(isFitting).map((one) => hereCard(one, deployment));
  const named = new Set(known.map(({ name }) => name));
  return [
    ...here,
    ...Object.keys(planned)
      .filter((slug) => !named.has(slug))
      .map((slug) => absentCard(slug, deployment)),
  ];
}

function hereCard(extension: Extension, { extensions }: Deployment): BundledCard {
  const { name: slug, title = slug, about = '', always = false, needs = [], provides = [] } = extension;
  return {
    slug,
    name: title,
    description: about,
    version: version(),
    always,
    needs,
    provides,
    namespaces: Object.keys(routesOf(extension)),
    on: extensions[slug] === true,
    here: true,
  };
}

function absentCard(slug: string, { extensions }: Deployment): BundledCard {
  const { title, about, namespaces } = planned[slug]!;
  return {
    slug,
    name: title,
    description: about,
    version: version(),
    namespaces,
    always: false,
    needs: [],
    provides: [],
    on: extensions[slug] === true,
    here: false,
  };
}
