// Errors of gallery-ai/v1: each code with each of its statuses once.
import { asSaid, defineError } from '#kernel/problem.ts';

export const aiErrors = {
  notConfigured: defineError(
    409,
    'ai_provider_not_configured',
    (setting: string) =>
      `This site has no provider of pictures. Ask your site operator to run: gatehouse settings set gallery-ai ${setting}`,
  ),
  invalidPrompt: defineError(400, 'rest_invalid_prompt', asSaid),
  promptRefused: defineError(
    400,
    'rest_api_error',
    'The provider refused this prompt. Describe the picture differently.',
  ),
  tooMany: defineError(429, 'rest_api_error', asSaid),
  providerFailed: defineError(502, 'rest_api_error', asSaid),
  providerLate: defineError(
    504,
    'rest_api_error',
    'The provider did not answer within 120 seconds. Try again in a minute.',
  ),
  noImageUrl: defineError(400, 'no_image_url', '`image_url` is missing. Send the URL of a picture.'),
  expired: defineError(410, 'image_expired', 'This picture has expired. Create it again.'),
};
