// Which abilities somebody wants to know of.
import type { TProperties } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Card } from '#site/hooks/abilities/abilities.ts';
import type { Served } from './served.ts';

type Tools = Pick<Toolkit<Served>, 't' | 'context' | 'page'>;
type Meta = Readonly<Record<string, unknown>>;

export const pagingArgs = ({ t, context, page }: Tools) => ({
  context: context(),
  page: page(),
  per_page: t.integer({ default: 50, minimum: 1, maximum: 100, description: 'How many items a page holds.' }),
});

export function filterArgs({ t }: Tools) {
  const truth = () => t.optional(t.nullable(t.boolean()));
  const annotations = t.optional(
    t.object({ readonly: truth(), destructive: truth(), idempotent: truth() }, { additionalProperties: true }),
  );
  const meta = (more: TProperties) =>
    t.object({ annotations, ...more }, { additionalProperties: true, description: 'Only those that say all of this.' });
  const said = meta({ public: t.optional(t.boolean()), show_in_rest: t.optional(t.boolean()) });
  return {
    category: t.optional(t.string({ description: 'Only those of this category.' })),
    namespace: t.optional(t.string({ description: 'Only those whose names begin so, before the slash.' })),
    meta: t.optional(t.publishedAs(meta({}), said)),
  };
}

interface Wanted {
  readonly category?: string;
  readonly namespace?: string;
  readonly meta?: Meta;
}

export const chosen = (cards: readonly Card[], { category, namespace, meta = {} }: Wanted): Card[] =>
  cards.filter(
    (card) =>
      (category === undefined || card.category === category) &&
      (namespace === undefined || card.name.startsWith(`${namespace}/`)) &&
      says(card.meta, meta),
  );

const isObject = (value: unknown): value is Meta => typeof value === 'object' && value !== null;

const says = (meta: Meta, wanted: Meta): boolean =>
  Object.entries(wanted).every(([name, value]) => {
    const said = Object.hasOwn(meta, name) ? meta[name] : undefined;
    return isObject(value) ? isObject(said) && says(said, value) : said === value;
  });

interface Page {
  readonly page: number;
  readonly per_page: number;
}

export const onPage = <Item>(all: readonly Item[], { page, per_page: most }: Page) => ({
  items: all.slice((page - 1) * most, page * most),
  total: all.length,
});
