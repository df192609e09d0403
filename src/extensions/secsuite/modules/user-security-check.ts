// Accounts that nobody has used for long.
import type { Module } from '../module.ts';
import { later } from './card.ts';

export const userSecurityCheck: Module = {
  id: 'user-security-check',
  type: 'site-check',
  standing: 'always-active',
  title: 'Unused accounts',
  description: `${later} Will write an email about accounts with many rights that nobody has used for a month.`,
};
