// Errors of hooks, each code once.
import { defineDenial, defineError } from '#kernel/problem.ts';

export const hookErrors = {
  guardFailed: defineError(
    503,
    'rest_guard_failed',
    'The site cannot check this request at the moment. Please try again in a moment.',
    { headers: { 'Retry-After': '1' } },
  ),
  starting: defineError(503, 'rest_starting', 'The site is just starting. Please try again in a moment.', {
    headers: { 'Retry-After': '1' },
  }),
  abilityNotFound: defineError(404, 'rest_ability_not_found', 'There is no ability of this name.'),
  abilityCategoryNotFound: defineError(404, 'rest_ability_category_not_found', 'There is no category of this name.'),
  abilityCannotExecute: defineDenial('rest_ability_cannot_execute', 'have this done'),
  abilityInvalidMethod: defineError(
    405,
    'rest_ability_invalid_method',
    (name: string, method: string) => `The ability ${name} is run by ${method}.`,
  ),
  abilityMissingInputSchema: defineError(
    400,
    'ability_missing_input_schema',
    (name: string) => `The ability ${name} takes no input.`,
  ),
  abilityInvalidInput: defineError(
    400,
    'ability_invalid_input',
    (name: string, message: string) => `The ability ${name} cannot be run so: ${message}`,
  ),
  abilityInvalidOutput: defineError(500, 'ability_invalid_output', 'It was done, but its answer cannot be told.'),
  abilityCallbackException: defineError(
    500,
    'ability_callback_exception',
    'Something went wrong on our side. It has been written down.',
  ),
};
