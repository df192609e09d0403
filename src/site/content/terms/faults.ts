// What is wrong with a term, or with where it is to stand.
import { denied, Problem } from '#kernel/problem.ts';
import { invalid } from '../../identity/users/faults.ts';
import type { Term } from './term.ts';

export const noSuchTerm = (): Problem => new Problem(404, 'rest_term_invalid', 'There is no term with this number.');

export const noSuchParent = (): Problem =>
  new Problem(400, 'rest_term_invalid', 'There is no term with the number that parent names.');

export const noName = (): Problem => new Problem(400, 'empty_term_name', 'A term needs a name.');

export const flat = (): Problem =>
  new Problem(400, 'rest_taxonomy_not_hierarchical', 'Terms of this kind do not lie below others.');

/** Programs go on with the one that is there. */
export const isThere = ({ id }: Term): Problem =>
  new Problem(
    400,
    'term_exists',
    'There is a term with this name or slug already.',
    { term_id: id },
    { also: [id, id] },
  );

export const takenSlug = (slug: string): Problem =>
  new Problem(400, 'duplicate_term_slug', `The slug ${slug} belongs to another term already.`);

export const standing = (): Problem =>
  denied('rest_cannot_delete', 'The category of posts without one cannot be deleted.');

export const tooLong = (field: string, most: number): Problem =>
  invalid(field, { code: 'rest_too_long', message: `${field} must have at most ${most} characters.` });
