// Who may read and write the files of the service.
import type { Module } from '../module.ts';

export const filePermissions: Module = {
  id: 'file-permissions',
  type: 'tool',
  standing: 'always-active',
  title: 'Rights of files',
  description: 'Shows which files and folders others on this machine may read or write, and what would be better.',
  tools: { 'check-file-permissions': { title: 'Look at the rights of files' } },
};
