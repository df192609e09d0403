// Where files are that change only when somebody changes them: the program, the extensions, and the rules that the suite writes.
import { join } from 'node:path';
import type { Place } from '../../disk/walking.ts';

const program = `${join(import.meta.dirname, '../../../..')}/`;

/** Histories and figures that come with working on the program. */
const restless = new Set(['.git', '.cache', 'node_modules/.cache']);
const ruled = /\.(?:conf|rules|env|json)$/;

export const placesOf = (data: string): Place[] => [
  {
    folder: program,
    name: 'program',
    takes: (path) => !restless.has(path) && !`${program}${path}/`.startsWith(data.replace(/\/*$/, '/')),
  },
  {
    folder: data,
    name: 'data',
    takes: (path, isFolder) =>
      path.startsWith('extensions/') || (isFolder ? path === 'extensions' : !path.includes('/') && ruled.test(path)),
  },
];
