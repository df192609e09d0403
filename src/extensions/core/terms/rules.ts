// Who may see, add, change and delete terms of one kind.
import { category, type Taxonomy } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { cannotAdd, cannotChange, cannotDelete, mayAdd } from './refusals.ts';
import type { ShownTerm } from './shown-terms.ts';

interface ByNumber {
  readonly id: number;
}

interface Looking {
  readonly context?: string;
}

export function termRules({ on, when, denied }: Toolkit<Core>, taxonomy: Taxonomy) {
  const { capabilities } = taxonomy;
  const seen = `All visitors. \`context=edit\`: with \`${capabilities.edit}\`.`;
  const find = ({ id }: ByNumber, { terms }: Core) => terms.get(id, taxonomy);
  const wrongContext = () => denied('rest_forbidden_context', 'You are not allowed to see terms as their editors do.');

  /** Of other kinds none does, so they are not even looked at. */
  const stays = (term: ShownTerm): boolean => taxonomy === category && term.isDefault;

  return {
    mayList: when<Looking>(
      (caller, { context }) => context !== 'edit' || caller.can(capabilities.edit) || wrongContext(),
      seen,
    ),

    mayAdd: when(
      (caller) => mayAdd(caller, taxonomy) || cannotAdd(),
      `With \`${taxonomy.hierarchical ? capabilities.edit : capabilities.assign}\`.`,
    ),

    mayView: on(
      find,
      (caller, _, { context }: Looking) => context !== 'edit' || caller.can(capabilities.edit) || wrongContext(),
      seen,
    ),

    mayChange: on(find, (caller) => caller.can(capabilities.edit) || cannotChange(), `With \`${capabilities.edit}\`.`),

    mayDelete: on(
      find,
      (caller, term) => (caller.can(capabilities.delete) && !stays(term)) || cannotDelete(),
      `With \`${capabilities.delete}\`${taxonomy === category ? ', except the default category' : ''}.`,
    ),
  };
}
