// Errors of outgoing, each code once.
import { asSaid, defineError } from '#kernel/problem.ts';

export const outgoingErrors = {
  unsafeUrl: defineError(
    400,
    'unsafe_url',
    'This address cannot be used. Please give the full address of something on the public web.',
  ),
  tooManyRequests: defineError(429, 'too_many_requests', asSaid),
};
