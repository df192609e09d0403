import { documented } from './documents.ts';

documented('a', 'neutral');
documented('a', 'classic');
documented('b', 'classic');
