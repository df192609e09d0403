import { type Command, json } from '#cli/command.ts';
import { migrateStore, pendingOf } from '#store/store.ts';
import { storeOptions } from './options.ts';
import { settledSecret } from './secret.ts';

export const command: Command = {
  name: 'migrate',
  about: `Migrates the database to this version and shows the applied migrations. "gatehouse serve" does the same when it starts.
A SQLite database is copied first; PostgreSQL is migrated in one transaction. A database of a newer version is refused.`,
  options: { json, 'dry-run': { meaning: 'Change nothing, and show which migrations are pending' } },
  run: async (ask) => {
    const config = ask.config();
    const options = await storeOptions(config, ask);
    const dry = ask.options['dry-run'] !== undefined;
    if (!dry) await settledSecret(config, ask);
    const steps = await ask.progress.during('Migrating the database', dry ? pendingOf(options) : migrateStore(options));
    const names = steps.map(({ owner, name }) => `${owner}/${name}`);
    if (ask.options.json !== undefined) ask.out(JSON.stringify({ [dry ? 'pending' : 'applied']: names }));
    else if (names.length === 0) ask.out('The database is up to date.');
    else ask.out([dry ? 'Pending migrations:' : 'Applied:', ...names].join('\n  '));
    return 0;
  },
};
