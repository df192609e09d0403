// Every ability there is, by name: of the extensions that are switched on, in their order.
import type { Settler } from '#kernel/args/checks.ts';
import type { Method } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import { hookErrors } from '../errors.ts';
import {
  type Annotations,
  type Category,
  demandFittingCategory,
  demandFittingName,
  type Offer,
  type OwnAbility,
  settlerOf,
  UnfitAbility,
} from './ability.ts';

/** A schema as programs of others read it: no more than the keywords that everybody knows. */
type Document = Record<string, unknown>;

const all = (schemas: Readonly<Record<string, Schema>>): Record<string, Document> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, documentOf(schema)]));

/** Nobody has to send what has a default. */
const demanded = ({ required, properties = {} }: Schema): readonly string[] =>
  Array.isArray(required) ? required.filter((name) => properties[name]?.default === undefined) : [];

function documentOf(schema: Schema): Document {
  const { items, properties, patternProperties, additionalProperties, oneOf, anyOf, ...rest } = schema;
  const { context: _, readonly: _fixed, published: _told, check: _own, required: _names, ...plain } = rest;
  const names = demanded(schema);
  return {
    ...plain,
    ...(items && { items: documentOf(items) }),
    ...(properties && { properties: all(properties) }),
    ...(patternProperties && { patternProperties: all(patternProperties) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? documentOf(additionalProperties) : additionalProperties,
    }),
    ...(names.length > 0 && { required: names }),
    ...(oneOf && { oneOf: oneOf.map(documentOf) }),
    ...(anyOf && { anyOf: anyOf.map(documentOf) }),
  };
}

/** What everybody is told of one. */
export interface Card {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly category: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly output_schema: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface Known {
  readonly ability: OwnAbility<never>;
  /** The nouns of its extension. */
  readonly use: unknown;
  readonly card: Card;
  /** By which it is run. */
  readonly method: Method;
  readonly input: Settler | undefined;
  readonly output: Settler | undefined;
}

export interface Abilities {
  /** Makes those of an extension known. Returns how to take them away again. */
  also(offer: Offer<never>, use: unknown): () => void;
  cards(): readonly Card[];
  /** Throws `rest_ability_not_found`. */
  get(name: string): Known;
  /** Those that something is in. */
  categories(): readonly Category[];
  /** Throws `rest_ability_category_not_found`. */
  category(slug: string): Category;
}

const own: readonly Category[] = [
  { slug: 'site', label: 'Site', description: 'Abilities for the whole site.' },
  { slug: 'user', label: 'User', description: 'Abilities for the signed-in user.' },
  { slug: 'content', label: 'Content', description: 'Posts, pages and comments.' },
  { slug: 'media', label: 'Media', description: 'Pictures and other files.' },
];

export function createAbilities(): Abilities {
  const known = new Map<string, Known>();
  const categories = new Map(own.map((category) => [category.slug, category]));
  const inUse = (): Category[] => {
    const used = new Set([...known.values()].map(({ card }) => card.category));
    return [...categories.values()].filter(({ slug }) => used.has(slug));
  };
  return {
    also({ offered, categories: more = [] }, use) {
      const added = new DisposableStack();
      try {
        for (const category of more) {
          demandFittingCategory(category, categories);
          categories.set(category.slug, category);
          added.defer(() => categories.delete(category.slug));
        }
        for (const ability of offered) {
          demandFittingName(ability.name, known);
          if (!categories.has(ability.category))
            throw new UnfitAbility(
              `The ability ${ability.name} is in the category ${ability.category}, which does not exist.`,
            );
          known.set(ability.name, knownOf(ability, use));
          added.defer(() => known.delete(ability.name));
        }
      } catch (error) {
        added.dispose();
        throw error;
      }
      return () => added.dispose();
    },
    cards: () => [...known.values()].map(({ card }) => card),
    get(name) {
      const found = known.get(name);
      if (found !== undefined) return found;
      throw hookErrors.abilityNotFound(name);
    },
    categories: inUse,
    category(slug) {
      const found = inUse().find((category) => category.slug === slug);
      if (found !== undefined) return found;
      throw hookErrors.abilityCategoryNotFound(slug);
    },
  };
}

const knownOf = (ability: OwnAbility<never>, use: unknown): Known => ({
  ability,
  use,
  card: cardOf(ability),
  method: methodOf(ability.annotations),
  input: settlerOf(ability, 'input'),
  output: settlerOf(ability, 'output'),
});

function cardOf({ name, label, description, category, input, output, annotations, meta }: OwnAbility<never>): Card {
  return {
    name,
    label,
    description,
    category,
    input_schema: input === undefined ? {} : documentOf(input),
    output_schema: output === undefined ? {} : documentOf(output),
    meta: { annotations, ...meta, show_in_rest: true },
  };
}

function methodOf({ readonly, destructive, idempotent }: Annotations): Method {
  if (readonly) return 'GET';
  return destructive && idempotent ? 'DELETE' : 'POST';
}
