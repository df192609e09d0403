// What users are told of their devices.
import { defineError } from '#kernel/problem.ts';

export const deviceErrors = {
  deviceDenied: defineError(
    403,
    'secsuite-fingerprinting-authenticate-denied-fingerprint',
    'The owner of this account denied this device, so it cannot sign in. Use another device.',
  ),
  deviceUnconfirmed: defineError(
    403,
    'secsuite_fingerprint_unconfirmed_device',
    'This device is not confirmed yet. Open "Your devices" on your account page to see how to confirm it, or use a device that is confirmed.',
  ),
  deviceNotFound: defineError(
    404,
    'secsuite_fingerprint_not_found',
    (uuid: string) => `You have no device ${uuid.slice(0, 40)}. List your devices to find its \`uuid\`.`,
  ),
  deviceFinal: defineError(
    409,
    'secsuite_fingerprint_final_status',
    'This device was approved or denied before, and that cannot be changed.',
  ),
  deviceSessionEnded: defineError(
    401,
    'secsuite_fingerprint_session_destroyed',
    'Your session was used on another device, so it was ended. Sign in again.',
  ),
};
