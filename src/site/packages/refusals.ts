// What people are told who ask for an extension that they cannot have.
import type { Problem } from '#kernel/problem.ts';
import type { Operator } from '#lib/operator.ts';
import { packageErrors } from './errors.ts';
import { type Manifest, unmet } from './manifest.ts';
import type { BundledCard, Card } from './packages.ts';

/** There is none, or none that anybody could switch. */
export function unknown(slug: string, bundled: readonly BundledCard[]): Problem {
  const own = bundled.find((one) => one.slug === slug);
  return packageErrors.pluginNotFound(sentence(slug, own));
}

function sentence(slug: string, own: BundledCard | undefined): string {
  if (own === undefined) return `The extension ${slug} does not exist on this site or in its catalogue.`;
  if (own.always) return `${own.name} is part of every site. It cannot be installed, turned off or removed.`;
  return `This version of Gatehouse does not have the extension ${slug}.`;
}

/** A file of this machine's copy is not as it was installed. */
export const changedIn = (slug: string, folder: string): Problem =>
  packageErrors.integrityFailed(
    `The files of the extension ${slug} on this machine were changed. Delete ${folder} in the data folder and restart the site, which unpacks the extension again.`,
  );

/** There is neither a copy nor the package. */
export const absent = ({ slug }: { readonly slug: string }): Problem =>
  packageErrors.integrityFailed(
    `The package of the extension ${slug} is not among the files of the site. Check that GATEHOUSE_MEDIA is the same for all processes. If it is, remove the extension and install it again.`,
  );

export const another = ({ slug }: { readonly slug: string }): Problem =>
  packageErrors.integrityFailed(
    `The package of the extension ${slug} among the files of the site differs from the installed package. Remove the extension and install it again.`,
  );

const noCatalogue =
  'This site has no catalogue of extensions. Set GATEHOUSE_CATALOGUE, and its key with GATEHOUSE_CATALOGUE_KEY.';

type Operated = Pick<Operator, 'catalogue'>;

/** Why there is nothing to be had, where that is so. */
export const nothingToHave = ({ catalogue }: Operated): string | undefined =>
  catalogue === undefined ? noCatalogue : undefined;

/** It is not in the catalogue, or not for free. */
export const notOffered = (operator: Operated, otherwise: string): Problem =>
  packageErrors.pluginNotFound(nothingToHave(operator) ?? otherwise);

export const notInstalled = ({ name }: { readonly name: string }): Problem =>
  packageErrors.pluginNotFound(`${name} is not installed yet. Install it first.`);

/** The catalogue that is shown is not the one of now. */
export const untrusted = (why: string): Problem =>
  packageErrors.integrityFailed(`The catalogue of extensions cannot be used. ${why}`);

/** Throws unless the program and the extensions that are here do for it. */
export function refuseUnmet(one: Pick<Manifest, 'requires'>, cards: readonly Card[], program: string): void {
  const installed = cards.filter(({ installed }) => installed).map(({ slug, version }) => [slug, version] as const);
  const why = unmet(one, { ...Object.fromEntries(installed), gatehouse: program });
  if (why !== undefined) throw packageErrors.requirementsNotMet(why);
}
