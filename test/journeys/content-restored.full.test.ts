// A site with content of every kind, backed up and put back, in every combination of stores but that of the quick run.
import { onEngine } from '#test/databases.ts';
import { restoredContent } from '#test/restored-content.ts';

for (const [from, to] of [
  ['sqlite', 'sqlite'],
  ['postgres', 'sqlite'],
  ['postgres', 'postgres'],
] as const)
  onEngine(to, `content of ${from} that is put back`, (engine) => restoredContent(from, engine));
