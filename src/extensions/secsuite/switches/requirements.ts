// What modules need before they can be switched on, and while they run.
import { isLoopback } from '#lib/loopback.ts';
import type { Module, Requirements } from '../module.ts';
import type { Settings } from '../settings/types.ts';

type Kind = keyof Requirements;

/** Why it is not met, a sentence; nothing where it is. */
type Judge<K extends Kind> = (requirement: NonNullable<Requirements[K]>) => string | undefined;

/** Why the module cannot be switched on, or do its work: a sentence each. */
export type Unmet = (module: Module, moment: 'activate' | 'run') => string[];

interface Needs {
  /** Where the site is reached. */
  readonly url: string;
  readonly settings: Pick<Settings, 'of'>;
}

export const isFlagOn = (settings: Pick<Settings, 'of'>, flag: string): boolean =>
  settings.of<{ enabled: readonly string[] }>('feature-flags').enabled.includes(flag);

/** Whether it was chosen how the client's address is found. */
export const isAddressKnown = (settings: Pick<Settings, 'of'>): boolean =>
  settings.of<{ proxy: string }>('global').proxy !== 'automatic';

export function createRequirements({ url, settings }: Needs): Unmet {
  const { protocol, hostname } = new URL(url);
  // Early loading, the runtime and the number of sites are as they must be wherever this runs.
  const judges: { readonly [K in Kind]?: Judge<K> } = {
    ssl: ({ validate }) =>
      protocol === 'https:' || (validate === 'run' && isLoopback(hostname))
        ? undefined
        : 'The site must be reached by HTTPS.',
    ip: () =>
      isAddressKnown(settings) ? undefined : 'It must be chosen how the address of a visitor is found (global.proxy).',
    'feature-flags': ({ flags }) =>
      flags.every((flag) => isFlagOn(settings, flag))
        ? undefined
        : `These experiments must be switched on: ${flags.join(', ')}.`,
  };
  return ({ requirements = {} }, moment) =>
    (Object.keys(requirements) as Kind[])
      .filter((kind) => moment === 'activate' || requirements[kind]?.validate === 'run')
      .flatMap((kind) => (judges[kind] as Judge<never> | undefined)?.(requirements[kind] as never) ?? []);
}
