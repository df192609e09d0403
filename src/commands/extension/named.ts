// What the commands about one extension share.
import type { Word } from '../command.ts';

export const slug: Word = { name: 'SLUG', meaning: 'The extension, as "gatehouse extension list" shows it' };
