// Who may what with terms, and what each refusal is called: asked before a write and again inside it.
import { denied, type Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Taxonomy } from '#site/content/types.ts';

/** Whoever may give records a tag may make one; what lies below each other is kept in order by fewer. */
export const mayAdd = (asker: Asker, { hierarchical, capabilities }: Taxonomy): boolean =>
  asker.can(hierarchical ? capabilities.edit : capabilities.assign);

export const cannotAdd = (): Problem => denied('rest_cannot_create', 'You are not allowed to add terms of this kind.');
export const cannotChange = (): Problem => denied('rest_cannot_update', 'You are not allowed to change this term.');
export const cannotDelete = (): Problem => denied('rest_cannot_delete', 'You are not allowed to delete this term.');
