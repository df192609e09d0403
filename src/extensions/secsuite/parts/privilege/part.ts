// Rights for a while.

import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { later } from '../../setting-schemas.ts';

const privilege: Module = {
  id: 'privilege',
  type: 'login',
  standing: 'default-inactive',
  title: 'Rights for a while',
  description: `${later} Will give an account the rights of an editor or administrator for some days.`,
};

export const privilegePart = part({
  name: 'privilege',
  modules: [privilege],
});
