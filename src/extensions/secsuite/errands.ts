// Work of single modules that nobody waits for: each kind at most once at a time, whichever process does it.
import type { Toolkit } from '#site/extension.ts';

export type Errand = 'file-change' | 'backup' | 'purge-lockouts' | 'purge-log-entries';

interface Use {
  runErrand(errand: Errand, signal: AbortSignal): Promise<void>;
}

export const errandsJob = ({ job }: Toolkit<Use>) =>
  job<{ readonly errand: Errand }>({
    name: 'security-suite.errands',
    about: 'Looks whether files have changed, makes backups of the database, and forgets what is old',
    serving: true,
    lane: { name: 'security-suite.errands', atOnce: 1 },
    run: ({ errand }, { signal }, { runErrand }) => runErrand(errand, signal),
  });
