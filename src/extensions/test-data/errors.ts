// Errors of test-data, each code once.
import { asSaid, defineDenial, defineError } from '#kernel/problem.ts';

export const testDataErrors = {
  insufficientPermissions: defineDenial('insufficient_permissions', 'create content for other users'),
  generationFailedUpstream: defineError(502, 'generation_failed', asSaid),
  generationFailed: defineError(400, 'generation_failed', 'The site has no published record to comment on.'),
  moduleNotFound: defineError(404, 'module_not_found', asSaid),
  shownSince: defineError(409, 'shown_since', (titled: string) => `It is used in ${titled}; remove it there first.`),
  changedSince: defineError(
    409,
    'changed_since',
    'A user has changed it since. Delete it by hand if you do not need it.',
  ),
  chosenSince: defineError(
    409,
    'chosen_since',
    'It is the front page, the logo or the icon of the site. Choose another one in the settings first.',
  ),
  hasComments: defineError(
    409,
    'has_comments',
    'It has a real or changed comment. Delete it by hand if you do not need it.',
  ),
  usedSince: defineError(409, 'used_since', 'This user has signed in, or has an application password.'),
  userOwnsContent: defineError(
    409,
    'user_owns_content',
    'This user is the author of content that is kept. Change its author first.',
  ),
};
