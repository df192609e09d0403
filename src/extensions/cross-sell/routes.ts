// What may be asked of recommended extensions.
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { isSlug } from '#site/packages/manifest.ts';
import type { Outcome, Recommended, Standing } from './recommended.ts';

/** What the handlers use. */
export interface CrossSell {
  readonly recommended: Recommended;
}

/** Where it is not even known which one was meant. */
const none: Standing = { slug: '', installed: false, active: false, version: null };

const envelope = {
  success: (outcome: unknown) => ({ success: true, ...(outcome as Outcome) }),
  failure: () => ({ data: none }),
};

export function routes({ route, t }: Toolkit<CrossSell>): Route[] {
  const slug = (value: unknown) =>
    isSlug(String(value))
      ? undefined
      : {
          code: 'rest_invalid_pattern',
          message: 'plugin_slug must be at most 64 lowercase letters, digits and single hyphens.',
        };
  const outcome = t.object({
    success: t.boolean(),
    message: t.string(),
    data: t.object({
      slug: t.string(),
      installed: t.boolean(),
      active: t.boolean(),
      version: t.nullable(t.string()),
    }),
  });
  const args = {
    plugin_slug: t.string({ description: 'Slug of the extension.', check: slug }),
    current_slug: t.optional(t.string({ description: 'Slug of the extension that recommends it. It has no effect.' })),
  };
  return [
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: 'plugincrosssell/install_plugin',
      summary: 'Install an extension of the catalogue',
      access: 'install_plugins',
      args,
      envelope,
      answers: { 200: outcome },
      handle: ({ args, caller, use }) => use.recommended.install(args.plugin_slug, caller),
    }),
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: 'plugincrosssell/activate_plugin',
      summary: 'Turn on an installed extension',
      access: 'activate_plugins',
      args,
      envelope,
      answers: { 200: outcome },
      handle: ({ args, caller, use }) => use.recommended.activate(args.plugin_slug, caller),
    }),
  ];
}
