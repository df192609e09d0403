// A way back in for somebody who was locked out of an account by others.
import type { Module } from '../module.ts';

export const magicLinks: Module = {
  id: 'magic-links',
  type: 'lockout',
  standing: 'default-active',
  onboard: true,
  title: 'A way back in',
  description: 'Sends people whose account is locked a link that lets them in all the same.',
  requirements: { load: { validate: 'run', showMessageIfUnmet: true, type: 'normal' } },
};
