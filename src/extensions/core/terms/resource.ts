// A term as the interface shows one.
import { shorter } from '#kernel/bounds.ts';
import { longest } from '#site/content/terms/term.ts';
import { createKinds, type Taxonomy } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import type { ShownTerm } from './shown-terms.ts';

const always = ['view', 'embed', 'edit'] as const;
const whole = ['view', 'edit'] as const;

/** Clients know tags by this name. */
const titles: Readonly<Record<string, string>> = { post_tag: 'tag' };

function termFields({ t }: Pick<Toolkit<Core>, 't'>, { name: taxonomy, hierarchical }: Taxonomy) {
  const { fixed, optional, string } = t;
  const named = string({ context: always, description: 'Name.', check: shorter('name', longest.name) });
  const described = shorter('description', longest.description);
  const all = {
    id: fixed(t.integer({ context: always, description: 'Its number.' })),
    count: fixed(t.integer({ context: whole, description: 'Number of published records with the term.' })),
    description: optional(string({ context: whole, description: 'Description.', check: described })),
    link: fixed(string({ format: 'uri', context: always, description: 'URL of the page that lists its records.' })),
    name: Object.assign(named, { required: true as const }),
    slug: optional(string({ context: always, description: 'Slug, for URLs.' })),
    taxonomy: fixed(t.choice([taxonomy], { context: always, description: 'Taxonomy of the term.' })),
    parent: optional(t.integer({ context: whole, description: 'Id of the parent; 0 for none.' })),
    meta: optional(t.listWhenEmpty(t.object({}, { context: whole, description: 'Meta values.' }))),
  };
  if (hierarchical) return all;
  const { parent: _, ...flat } = all;
  return flat as typeof all;
}

export function termResource(tools: Toolkit<Core>, taxonomy: Taxonomy) {
  const { name, base } = taxonomy;
  const kinds = createKinds();
  const listed = taxonomy.types.map((type) => kinds.type(type)!.base);
  return tools.resource({
    name: titles[name] ?? name,
    fields: termFields(tools, taxonomy),
    compute: { meta: (_: ShownTerm) => [] },
    links: ({ id, parent }) => ({
      self: [{ href: `/core/v2/${base}/${id}` }],
      collection: [{ href: `/core/v2/${base}` }],
      about: [{ href: `/core/v2/taxonomies/${name}` }],
      ...(parent > 0 && { up: [{ href: `/core/v2/${base}/${parent}`, embeddable: true }] }),
      'wp:post_type': listed.map((type) => ({ href: `/core/v2/${type}?${base}=${id}` })),
    }),
  });
}
