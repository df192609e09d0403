// Errors of test-data, each code once.
import { asSaid, defineDenial, defineError } from '#kernel/problem.ts';

export const testDataErrors = {
  insufficientPermissions: defineDenial('insufficient_permissions', 'write in the name of others'),
  generationFailedUpstream: defineError(502, 'generation_failed', asSaid),
  generationFailed: defineError(
    400,
    'generation_failed',
    'There is no published record yet that somebody could speak about.',
  ),
  moduleNotFound: defineError(404, 'module_not_found', asSaid),
  shownSince: defineError(409, 'shown_since', (titled: string) => `What shows it: ${titled}; take it out there first.`),
  changedSince: defineError(
    409,
    'changed_since',
    'Somebody has changed it since; delete it by hand, if you do not need it.',
  ),
  chosenSince: defineError(
    409,
    'chosen_since',
    'It stands for the site, or at its front; choose something else in the settings first.',
  ),
  hasComments: defineError(
    409,
    'has_comments',
    'Somebody has commented on it, or changed a comment there; delete it by hand, if you do not need that.',
  ),
  usedSince: defineError(
    409,
    'used_since',
    'Somebody has signed in as this user, or made an application password for them.',
  ),
  userOwnsContent: defineError(
    409,
    'user_owns_content',
    'Something that stays is by this user; give it to somebody else first.',
  ),
};
