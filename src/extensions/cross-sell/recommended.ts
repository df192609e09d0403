// What people are recommended to have besides: it is fetched and switched on by its name. Only what comes with the program, and what
// the catalogue has for free, can be had here.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { defineError, Problem, problemFrom } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Doing, DoingFor } from '#site/identity/doing.ts';
import { packageErrors } from '#site/packages/errors.ts';
import type { Card, Extensions } from '#site/packages/packages.ts';

export const crossSellErrors = {
  alreadyUsing: defineError(409, 'already_using', 'This is the extension that you are using. It is installed.'),
};

/** How it stands with an extension. */
export interface Standing {
  readonly slug: string;
  readonly installed: boolean;
  readonly active: boolean;
  readonly version: string | null;
}

export interface Outcome {
  readonly message: string;
  readonly data: Standing;
}

export interface Recommended {
  /** Here, and not switched on. */
  install(slug: string, caller: Caller): Promise<Outcome>;
  activate(slug: string, caller: Caller): Promise<Outcome>;
}

interface Needs {
  readonly extensions: Pick<Extensions, 'find' | 'isOffered' | 'install' | 'activate'>;
  readonly doing: DoingFor;
  /** The slug of the extension that recommends. */
  readonly own: string;
}

type Done = readonly [card: Card, message: string];

export function createRecommended({ extensions, doing, own }: Needs): Recommended {
  const by = (caller: Caller, capability: string): Doing =>
    doing(credentialOf(caller), (asker) => demand(asker, capability));
  const told = async (slug: string, work: () => Promise<Done>): Promise<Outcome> => {
    try {
      const [card, message] = await work();
      return { message, data: standingOf(slug, card) };
    } catch (error) {
      throw error instanceof Problem ? withStanding(error, standingOf(slug, await extensions.find(slug))) : error;
    }
  };
  return {
    install: (slug, caller) =>
      told(slug, async () => {
        if (slug === own) throw crossSellErrors.alreadyUsing();
        const here = await extensions.find(slug);
        if (here?.installed) return [here, `${here.name} is installed already.`];
        const card = await extensions.install(slug, by(caller, 'install_plugins'));
        return [card, `${card.name} ${card.version} is installed. It is not turned on yet.`];
      }),
    activate: (slug, caller) =>
      told(slug, async () => {
        const here = await extensions.find(slug);
        if (!here?.installed) throw notHere(slug);
        if (!(await extensions.isOffered(slug))) throw notOffered(here);
        if (here.active) return [here, `${here.name} is turned on already.`];
        const card = await extensions.activate(slug, by(caller, 'activate_plugins'));
        return [card, `${card.name} is turned on.`];
      }),
  };
}

function demand(asker: Asker, capability: string): void {
  if (!asker.can(capability)) throw kernelErrors.forbidden('do this');
}

const standingOf = (slug: string, card: Card | undefined): Standing => ({
  slug,
  installed: card?.installed ?? false,
  active: card?.active ?? false,
  version: card?.installed ? card.version : null,
});

/** Whoever may not do it is not told. */
function withStanding(problem: Problem, standing: Standing): Problem {
  const { status, code, message, details, cause, headers } = problem;
  if (status === 'denied' || status === 401) return problem;
  return problemFrom(status, { code, message, data: { ...details, ...standing } }, { cause, headers });
}

/** It is here all the same: installed when the catalogue had it. */
const notOffered = ({ name, active }: Card): Problem =>
  packageErrors.pluginNotFound(
    `${name} is installed${active ? ' and turned on' : ''}, but the catalogue of this site does not list it, so it cannot be turned on here.`,
  );

const notHere = (slug: string): Problem =>
  packageErrors.pluginNotFound(`The extension ${slug} is not installed. Install it first.`);
