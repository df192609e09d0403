// Abilities and their categories as the interface shows them.
import type { Toolkit } from '#site/extension.ts';
import type { Abilities, Card } from '#site/hooks/abilities/abilities.ts';
import type { Category } from '#site/hooks/abilities/ability.ts';
import type { AbilityRuns } from '#site/hooks/abilities/running.ts';

const always = ['view', 'embed', 'edit'] as const;
const full = ['view', 'edit'] as const;

type Tools = Pick<Toolkit<Served>, 't' | 'resource'>;

export function abilityResource({ t, resource }: Tools) {
  const text = (context: typeof always | typeof full, description: string) =>
    t.fixed(t.string({ context, description }));
  const schema = (description: string) => t.fixed(t.free({ context: full, description }));
  return resource({
    name: 'ability',
    fields: {
      name: text(always, 'Name of the ability, as in the URL that runs it.'),
      label: text(always, 'Label.'),
      description: text(full, 'Description of the ability.'),
      category: text(always, 'Slug of its category.'),
      input_schema: schema('JSON schema of the input.'),
      output_schema: schema('JSON schema of the output.'),
      meta: schema('Annotations for apps.'),
    },
    links: ({ name }: Card) => ({
      self: [{ href: `/core-abilities/v1/abilities/${name}` }],
      collection: [{ href: '/core-abilities/v1/abilities' }],
      'wp:action-run': [{ href: `/core-abilities/v1/abilities/${name}/run` }],
    }),
  });
}

export function categoryResource({ t, resource }: Tools) {
  const text = (context: typeof always | typeof full, description: string) =>
    t.fixed(t.string({ context, description }));
  return resource({
    name: 'ability-category',
    fields: {
      slug: text(always, 'Slug of the category.'),
      label: text(always, 'Label.'),
      description: text(full, 'Description of the category.'),
      meta: t.fixed(t.listWhenEmpty(t.free({ context: full, description: 'Additional data.' }))),
    },
    // Clients are used to a list where an object has nothing in it.
    compute: { meta: () => [] },
    links: ({ slug }: Category) => ({
      self: [{ href: `/core-abilities/v1/categories/${slug}` }],
      collection: [{ href: '/core-abilities/v1/categories' }],
      abilities: [{ href: `/core-abilities/v1/abilities?category=${slug}` }],
    }),
  });
}

export interface Served {
  readonly abilities: Abilities;
  readonly runs: AbilityRuns;
}
