// Notices for security managers.

import { noticeRoutes } from '../../notices/routes.ts';
import { noticeMigrations } from '../../notices/tables.ts';
import { part } from '../../part.ts';

export const noticesPart = part({
  name: 'notices',
  tables: { migrations: noticeMigrations },
  routes: ({ tools, gate }) => ({ v1: noticeRoutes(tools, gate) }),
});
