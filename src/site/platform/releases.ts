// The versions that changed the database. A program refuses a database with a version that it does not know, and so one that a
// newer program has changed, whoever owns what is new in it.
import type { TableOwner } from '#store/migrate.ts';

const versions = ['0.2.0', '0.3.0', '0.4.0', '0.5.0', '0.6.0', '0.7.0'];

export const releases: TableOwner = {
  owner: 'release',
  migrations: versions.map((name) => ({ name, up: async () => {} })),
};
