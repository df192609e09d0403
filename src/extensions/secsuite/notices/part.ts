// Notices for security managers.

import { part } from '../part.ts';
import { noticeRoutes } from './routes.ts';
import { noticeMigrations } from './tables.ts';

export const noticesPart = part({
  name: 'notices',
  tables: { migrations: noticeMigrations },
  routes: ({ tools, gate, facts }) => ({ v1: noticeRoutes(tools, gate, facts.highlights) }),
});
