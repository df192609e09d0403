import { existsSync } from 'node:fs';
import { secretFile } from '#site/platform/secret-file.ts';
import { fileOf } from '#store/store.ts';
import { type Config, envOf } from '../config.ts';
import { type Ask, Failed } from './command.ts';
import { holdsNothing } from './options.ts';
import { ownSecret } from './secret-file.ts';

/** The secret that was given, or the one in the data folder. It is born before the database, so beside one it is never made anew. */
export async function settledSecret(config: Config, ask: Pick<Ask, 'note'>): Promise<string> {
  if (config.secret) return config.secret;
  // In this order: of two processes that start together, one may make both in between.
  if (existsSync(fileOf(config)) && !existsSync(secretFile(config.data))) await refuseLost(config, ask);
  return ownSecret(config.data);
}

/** A database with nothing in it yet needs no old secret. */
async function refuseLost(config: Config, ask: Pick<Ask, 'note'>): Promise<void> {
  if (await holdsNothing(config, ask)) return;
  const file = secretFile(config.data);
  throw new Failed(
    `The secret ${file} is missing, and the database beside it needs it; put it back, or give it as ${envOf('secret')}.`,
  );
}
