// A site with content of every kind on SQLite, backed up and put back on PostgreSQL. The full run has the other combinations.
import { onEngine } from '#test/databases.ts';
import { restoredContent } from '#test/restored-content.ts';

onEngine('postgres', 'content of sqlite that is put back', (engine) => restoredContent('sqlite', engine));
