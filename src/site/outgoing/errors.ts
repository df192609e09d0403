// Errors of outgoing, each code once.
import { asSaid, defineError } from '#kernel/problem.ts';

export const outgoingErrors = {
  unsafeUrl: defineError(400, 'unsafe_url', 'This URL cannot be used. Send a complete URL of a public website.'),
  tooManyRequests: defineError(429, 'too_many_requests', asSaid),
};
