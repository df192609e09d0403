// Errors of hooks, each code once.
import { defineDenial, defineError } from '#kernel/problem.ts';

export const hookErrors = {
  guardFailed: defineError(
    503,
    'rest_guard_failed',
    'The site cannot check this request at the moment. Try again in 5 seconds.',
    { headers: { 'Retry-After': '1' } },
  ),
  starting: defineError(503, 'rest_starting', 'The site is starting. Try again in a few seconds.', {
    headers: { 'Retry-After': '1' },
  }),
  abilityNotFound: defineError(404, 'rest_ability_not_found', (name: string) => `Ability ${name} does not exist.`),
  abilityCategoryNotFound: defineError(
    404,
    'rest_ability_category_not_found',
    (slug: string) => `Category ${slug} of abilities does not exist.`,
  ),
  abilityCannotExecute: defineDenial('rest_ability_cannot_execute', 'run this ability'),
  abilityInvalidMethod: defineError(
    405,
    'rest_ability_invalid_method',
    (name: string, method: string) => `Run the ability ${name} with ${method}.`,
  ),
  abilityMissingInputSchema: defineError(
    400,
    'ability_missing_input_schema',
    (name: string) => `The ability ${name} takes no input.`,
  ),
  abilityInvalidInput: defineError(
    400,
    'ability_invalid_input',
    (name: string, message: string) => `The ability ${name} cannot run with this input: ${message}`,
  ),
  abilityInvalidOutput: defineError(
    500,
    'ability_invalid_output',
    'The ability ran, but its output does not match its schema. Do not run it again before the operator has checked the log.',
  ),
  abilityCallbackException: defineError(
    500,
    'ability_callback_exception',
    'The ability failed because of an internal error. Try again. If it fails again, give the site operator the value of the header X-Request-Id.',
  ),
};
