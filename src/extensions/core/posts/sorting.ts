// The filters of a list by what sorts its records.

import { few } from '#kernel/bounds.ts';
import type { Check, TProperties } from '#kernel/schema.ts';
import type { TermFilter } from '#site/content/posts/post.ts';
import type { Taxonomy } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';

interface Query {
  readonly terms?: readonly number[];
  readonly include_children?: boolean;
  readonly operator?: 'AND' | 'OR';
}

/** Numbers of terms alone, or with how they are meant. */
type Sent = readonly number[] | Query;

const isList = (sent: Sent): sent is readonly number[] => Array.isArray(sent);

const fewTerms: Check = (sent: Sent) => few(isList(sent) ? sent : (sent.terms ?? []));

/** Two for each taxonomy, and how they go together. */
export function sortingArgs({ t }: Toolkit<Core>, taxonomies: readonly Taxonomy[]): TProperties {
  if (taxonomies.length === 0) return {};
  const terms = { terms: t.list(t.integer(), { default: [] }) };
  const query = ({ hierarchical }: Taxonomy, excludes: boolean): TProperties => ({
    ...terms,
    ...(hierarchical && { include_children: t.boolean({ default: false }) }),
    ...(!excludes && { operator: t.choice(['AND', 'OR'], { default: 'OR' }) }),
  });
  const filter = (taxonomy: Taxonomy, excludes: boolean) =>
    t.optional(
      t.oneOf(
        [
          t.list(t.integer(), { title: 'Term ID List' }),
          t.object(query(taxonomy, excludes), { title: 'Term ID Taxonomy Query', additionalProperties: false }),
        ],
        {
          type: ['object', 'array'],
          description: excludes ? 'Only what has none of these terms.' : 'Only what has these terms.',
          check: fewTerms,
        },
      ),
    );
  const filters = taxonomies.flatMap((taxonomy) => [
    [taxonomy.base, filter(taxonomy, false)],
    [`${taxonomy.base}_exclude`, filter(taxonomy, true)],
  ]);
  const relation = t.choice(['AND', 'OR'], { description: 'Whether all of the filters below must fit, or any.' });
  return { tax_relation: t.optional(relation), ...Object.fromEntries(filters) };
}

export function termFilters(
  taxonomies: readonly Taxonomy[],
  args: Readonly<Record<string, unknown>>,
): readonly TermFilter[] {
  const filterOf = (taxonomy: string, sent: unknown, exclude: boolean): TermFilter[] => {
    if (sent === undefined) return [];
    const { terms = [], include_children: children = false, operator = 'OR' } = queryOf(sent as Sent);
    return terms.length === 0 ? [] : [{ taxonomy, terms, children, operator, exclude }];
  };
  return taxonomies.flatMap(({ name, base }) => [
    ...filterOf(name, args[base], false),
    ...filterOf(name, args[`${base}_exclude`], true),
  ]);
}

const queryOf = (sent: Sent): Query => (isList(sent) ? { terms: sent } : sent);
