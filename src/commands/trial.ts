// An extension is tried before it is switched on: in a process of its own, with little it can do and little time. One that stops that
// process, keeps it busy or throws stays off, and the site is as it was.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { printable } from '#lib/printable.ts';
import { runningBundle, scriptAt } from '#lib/scripts.ts';
import { minute, second } from '#lib/spans.ts';
import type { BundledCard, Extensions, InstalledPackage } from '#site/packages/packages.ts';
import { sweepTemporary } from '#site/platform/temporary.ts';
import { fileOf } from '#store/store.ts';
import type { TrialAmong } from '../boot/open-site.ts';
import type { Config } from '../config.ts';
import { root } from '../version.ts';
import { hear } from './trial/hearing.ts';
import { type Task, type Told, toldBy } from './trial/task.ts';

interface Patience {
  /** How long the extension may take where the machine is not busy, in milliseconds. */
  readonly extension: number;
  /** How long the program may take to be there, however busy the machine is. */
  readonly program: number;
}

const usual: Patience = { extension: 5 * second, program: 2 * minute };
/** The program is there sooner than this where the machine is not busy. Where it takes longer, so may the extension. */
const unhurried = 3 * second;
const mostMegabytes = 512;
const megabyte = 2 ** 20;
/** How a process ends that the watch beside it, the runtime or the system ended for want of memory. */
const starved: readonly (string | null)[] = ['SIGKILL', 'SIGABRT', 'SIGTRAP'];
/** Of what is said of a failure. */
const longest = 300;
const folders = 'gatehouse-trial-';
/** Longer than any trial takes. */
const forgotten = 10 * minute;
/** Of the program: its folder may hold data of a site. */
const readable = ['bin', 'src', 'deployments', 'node_modules', 'package.json'];
/** Among what a process has open, the last is what the trial tells by. */
const pipes = Array.from({ length: toldBy - 2 }, () => 'pipe' as const);
const script = fileURLToPath(scriptAt(new URL('trial/child.ts', import.meta.url)));
const quickImports = runningBundle === undefined ? [`--import=${join(root, 'bin/imports.mjs')}`] : [];

export const createTrial =
  (config: Config, patience: Patience = usual): TrialAmong =>
  async (one, extensions) => {
    // Of a trial whose site was ended in the middle of it, the folder is left.
    await sweepTemporary(folders, forgotten);
    const folder = await realpath(await mkdtemp(join(tmpdir(), folders)));
    try {
      // A file that is there already need not be made certain of, which that process may not do.
      await writeFile(fileOf({ data: folder }), '');
      return await tried(await taskOf(one, extensions, config, folder), patience, config);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

async function taskOf(
  one: InstalledPackage | BundledCard,
  extensions: Pick<Extensions, 'wanted' | 'unpacked'>,
  { deployment, url }: Config,
  folder: string,
): Promise<Task> {
  const { switched, installed } = await extensions.wanted();
  const on = installed.filter(({ active, slug }) => active && slug !== one.slug);
  const entryOf = async (each: InstalledPackage) => ({
    entry: await extensions.unpacked(each),
    manifest: each.manifest,
  });
  // One whose files are not sound is none that the site runs.
  const others = await Promise.all(on.map((each) => entryOf(each).catch(() => [])));
  const told = { ...deployment.extensions, ...Object.fromEntries(switched), [one.slug]: false };
  return {
    site: process.pid,
    folder,
    word: randomUUID(),
    url,
    deployment: { ...deployment, extensions: told },
    memory: mostMegabytes * megabyte,
    others: others.flat(),
    tried: 'manifest' in one ? await entryOf(one) : one.slug,
  };
}

/** The sentence that says why it cannot be, or nothing. */
async function tried(task: Task, patience: Patience, { data }: Config): Promise<string | undefined> {
  const child = spawn(
    process.execPath,
    [
      '--permission',
      '--allow-addons',
      // For the watch alone, which gives it up before anything of a package is loaded.
      '--allow-worker',
      ...(await placesOfProgram()).map((place) => `--allow-fs-read=${place}`),
      `--allow-fs-read=${join(await realpath(data), 'extensions')}`,
      `--allow-fs-read=${task.folder}`,
      `--allow-fs-write=${task.folder}`,
      `--max-old-space-size=${mostMegabytes}`,
      ...quickImports,
      script,
    ],
    // No channel of the runtime's: it believes whatever comes by one, and ends with it.
    { env: {}, stdio: ['pipe', 'ignore', 'ignore', ...pipes] },
  );
  try {
    return await outcome(child, task, patience);
  } finally {
    child.kill('SIGKILL');
  }
}

/** Each as it is called, and where it lies: one of them may be a link. */
async function placesOfProgram(): Promise<string[]> {
  const named = [...readable.map((name) => join(root, name)), ...(runningBundle === undefined ? [] : [runningBundle])];
  return [...new Set([...named, ...(await Promise.all(named.map((place) => realpath(place))))])];
}

function outcome(child: ChildProcess, task: Task, patience: Patience): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const begun = performance.now();
  const late = (after: number, why: string): NodeJS.Timeout => setTimeout(() => resolve(why), after);
  let limit = late(patience.program, 'The trial start could not run: the machine is too busy.');
  hear(child.stdio[toldBy] as Readable, (said) => {
    const told = toldIn(said, task.word);
    if (told === undefined) return;
    if (told.is === 'fine') return resolve(undefined);
    if (told.is === 'fault') return resolve(shown(told.why) || 'It failed without an error message.');
    clearTimeout(limit);
    const most = patience.extension * Math.max(1, (performance.now() - begun) / unhurried);
    limit = late(most, `It took longer than ${Math.round(most / 100) / 10} seconds to start.`);
  });
  // Once all it said was heard.
  child.on('close', (_code, signal) =>
    resolve(starved.includes(signal) ? 'It used too much memory.' : 'It ended the process of the trial start.'),
  );
  child.on('error', (error) => resolve(`The trial start could not run: ${error.message}.`));
  // It may have ended already, and then says so.
  child.stdin!.on('error', () => {}).end(JSON.stringify(task));
  return promise.finally(() => clearTimeout(limit));
}

/** Whatever was loaded there may send anything. */
function toldIn(said: unknown, word: string): Told | undefined {
  const told: Readonly<Record<string, unknown>> = { ...(said as object | null) };
  if (told.is === 'fault' && typeof told.why === 'string') return { is: told.is, why: told.why };
  return (told.is === 'ready' || told.is === 'fine') && told.word === word ? { is: told.is, word } : undefined;
}

/** In one line that does no harm where it is shown. */
const shown = (why: string): string => printable(why.slice(0, 10 * longest)).slice(0, longest);
