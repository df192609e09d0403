// The modules of the security suite and their settings, on a store of their own and without a site around them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Problem } from '#kernel/problem.ts';
import { createSeal } from '#site/platform/seal.ts';
import type { AnyStore } from '#store/store.ts';
import type { Behalf } from '../../src/extensions/secsuite/base.ts';
import { modulesOn } from '../../src/extensions/secsuite/parts.ts';
import { settingsMigrations } from '../../src/extensions/secsuite/settings/tables.ts';
import { openSettingsAndSwitches } from '../../src/extensions/secsuite/switches/open.ts';
import { switchMigrations } from '../../src/extensions/secsuite/switches/tables.ts';
import { keptLog, type TestEngine } from './databases.ts';

export const [one, two] = ['7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0001', '7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0002'];
/** Somebody who may do everything. */
export const behalf: Behalf = { caller: { id: 7, can: () => true } };

const tables = { owner: 'suite', migrations: [...switchMigrations, ...settingsMigrations] };
const key = randomBytes(32);

interface Options {
  readonly store?: AnyStore;
  readonly url?: string;
  readonly deployment?: Record<string, boolean>;
  readonly sealedWith?: Buffer;
}

/** Once it is read. `told`: what started and stopped since it was made. */
export async function aSwitchboard(engine: TestEngine, options: Options = {}) {
  const { url = 'http://site.test', deployment = {}, sealedWith = key } = options;
  const log = keptLog();
  const stopping = new AbortController();
  engine.atEnd(async () => stopping.abort());
  const groups = new Set([one, two, 'everybody-else']);
  const store = options.store ?? (await engine.store([tables]));
  const board = openSettingsAndSwitches({
    store,
    log,
    deployment,
    url,
    front: 'nginx',
    stopping: stopping.signal,
    seal: createSeal(sealedWith),
    modules: modulesOn({ data: '/srv/site' }),
    isGroup: (id) => groups.has(id),
  });
  const told: [string[], string[]][] = [];
  board.switches.onChange((started, stopped) => told.push([[...started], [...stopped]]));
  await board.switches.ready;
  return { ...board, store, log, groups, told };
}

/** The codes it is refused with, the first and the others. */
export async function codesOf(work: Promise<unknown>): Promise<string[]> {
  const problem = await work.then(
    () => assert.fail('It was not refused.'),
    (error) => error,
  );
  assert.ok(problem instanceof Problem, String(problem));
  assert.equal(problem.status, 400);
  return [problem.code, ...problem.others.map(({ code }) => code)];
}

/** What a setting is refused with that is missing, or unknown. */
export const matching = (id: string, kind: 'missing' | 'unknown', name: string): string =>
  `secsuite-validator-${id}-validate_matching_fields-${kind}-name-${name}`;
