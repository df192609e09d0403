// What keeps an extension from defending the site, so that nobody forgets to undo it. The start, doctor and site health say it.
import type { Extension } from '#site/extension.ts';
import { type Check, note, ok, type Seen, warning } from '#site/health/check.ts';
import type { Extensions } from '#site/packages/packages.ts';
import type { Config } from '../config.ts';

export interface Undefended {
  readonly what: string;
  /** The setting or the command that undoes it. */
  readonly by: string;
  readonly remedy: string;
}

/** The extension of a deployment that defends its site. */
export const defenderOf = (known: readonly Extension[], { deployment }: Config): Extension | undefined =>
  known.find(({ name, defends }) => defends !== undefined && deployment.extensions[name] === true);

/** `isOn`: what people said of it, where that is known; the deployment file otherwise. */
export function undefendedIn(
  config: Config,
  defender: Pick<Extension, 'name' | 'defends'> | undefined,
  isOn = true,
): Undefended | undefined {
  if (defender?.defends === undefined) return undefined;
  const { called, leftOpen } = defender.defends;
  const activate = `gatehouse extension activate ${defender.name}`;
  if (!isOn) return { what: `the ${called} is not active`, by: activate, remedy: `Activate it: "${activate}".` };
  const open = leftOpen(config);
  if (open === undefined) return undefined;
  const { what, setting } = open;
  return { what, by: setting, remedy: `Correct the problem, then start the site without ${setting}.` };
}

export async function undefendedNow(
  config: Config,
  known: readonly Extension[],
  extensions: Pick<Extensions, 'find'>,
): Promise<Undefended | undefined> {
  const defender = defenderOf(known, config);
  return defender && undefendedIn(config, defender, (await extensions.find(defender.name))?.active);
}

export function defenceChecks(
  config: Config,
  known: readonly Extension[],
  extensions: Pick<Extensions, 'find'>,
): Check[] {
  return known.flatMap(({ defends }) => {
    if (defends === undefined) return [];
    const { called, by } = defends;
    return {
      name: 'defence',
      what: 'Protection',
      about: `Whether the ${called} protects the site: ${by}.`,
      badge: 'Security',
      async look() {
        if (defenderOf(known, config) === undefined) return note(`the deployment has no ${called}`);
        return seenOf(await undefendedNow(config, known, extensions)) ?? ok(`the ${called} protects the site`);
      },
    };
  });
}

export const seenOf = (undefended: Undefended | undefined): Seen | undefined =>
  undefended && warning(undefended.what, undefended.remedy);
