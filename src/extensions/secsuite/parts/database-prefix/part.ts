// The tool that renames tables elsewhere. There is nothing for it to do here.

import type { Module } from '../../module.ts';
import { part } from '../../part.ts';

const databasePrefix: Module = {
  id: 'database-prefix',
  type: 'tool',
  standing: 'always-active',
  title: 'Names of the tables',
  description: 'Gives the tables of the database other names.',
  help: 'The tables of this service have no prefix, and nothing that is sent to it can name one. There is nothing to change.',
  tools: { 'change-database-prefix': {} },
};

export const databasePrefixPart = part({
  name: 'database-prefix',
  modules: [databasePrefix],
});
