// The routes of the extensions that are part of a site, in the order of its index, with all that they add to one another.
import type { Caller } from '#kernel/caller.ts';
import type { Mount } from '#kernel/table.ts';
import { joined } from '#lib/objects.ts';
import { type Addition, type Extras, extraOf } from '#site/content/extending.ts';
import { createKinds } from '#site/content/types.ts';
import { type Extension, routesOf } from '#site/extension.ts';
import type { Deployment } from '../config.ts';
import { AssemblyProblem } from './assembly.ts';
import type { Member } from './member.ts';

/** Routes in the order in which the deployment lists their namespaces; those of packages it cannot know come last. */
export function mountsOf(members: readonly Member[], { namespaces, roles }: Deployment): Mount[] {
  const extras = extrasOf(members);
  const offered = members.flatMap(({ extension, use }) =>
    Object.entries(routesOf(extension, extras, use, roles)).map(([namespace, routes]) => {
      const about = use === undefined ? undefined : extension.index?.namespaces?.[namespace];
      return { namespace, routes, use, ...(about && { about: (caller: Caller) => about(caller, use) }) };
    }),
  );
  const last = offered.map(({ namespace }) => namespace).filter((namespace) => !namespaces.includes(namespace));
  const inOrder = [...namespaces, ...new Set(last)];
  return inOrder.flatMap((listed) => offered.filter(({ namespace }) => namespace === listed));
}

/** What is added to each type of content, by whichever extension. */
function extrasOf(members: readonly Member[]): Extras {
  const added = members.flatMap(({ extension, use }) =>
    Object.entries(extension.extends ?? {}).map(([type, addition]) => ({ type, addition, extension, use })),
  );
  const types = members.flatMap(({ extension }) => extension.types ?? []);
  const kinds = createKinds(types);
  for (const { type, extension } of added)
    if (kinds.type(type) === undefined)
      throw new AssemblyProblem(`The extension ${extension.name} adds to the type ${type}, which does not exist.`);
  for (const type of new Set(added.map((one) => one.type))) refuseTwice(type, added);
  const extras = (wanted: string) =>
    extraOf(
      added
        .filter(({ type }) => type === wanted)
        .map(({ addition, extension, use }) => ({ by: extension.name, addition, use: () => use })),
    );
  return Object.assign(extras, { types });
}

interface AddedBy {
  readonly type: string;
  readonly addition: Addition<unknown>;
  readonly extension: Extension;
}

function refuseTwice(type: string, added: readonly AddedBy[]): void {
  const here = added.filter((one) => one.type === type);
  for (const part of ['fields', 'filters'] as const)
    joined(
      here.map(({ addition, extension }) => [extension.name, Object.entries(addition[part] ?? {})]),
      (name, extension, other) =>
        new AssemblyProblem(`The extensions ${other} and ${extension} both add ${name} to ${type}.`),
    );
}
