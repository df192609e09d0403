// One extension, tried: a site of its own is put together in an empty folder, and the extension joins it. Run by `trial.ts`, in a
// process that may read the program and the package, write into that folder, and reach nothing else.
import { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Page } from '#kernel/http/page.ts';
import { minute } from '#lib/spans.ts';
import type { Extension } from '#site/extension.ts';
import type { HouseNow } from '#site/pages/door.ts';
import { AssemblyProblem, inOrderOfNeed } from '../../boot/assembly.ts';
import { declarationIn, ownerOf } from '../../boot/installed-packages.ts';
import { kernelOf } from '../../boot/kernel.ts';
import { type Opened, openSite } from '../../boot/open-site.ts';
import { createRefusePage, freePages } from '../../boot/pages.ts';
import { type Config, readConfig } from '../../config.ts';
import { type Packed, type Task, type Told, toldBy } from './task.ts';
import { watched } from './watched.ts';

/** Of what is said of a failure: more than is shown. */
const longest = 3000;
/** What it begins has a moment to go wrong. */
const aMoment = 100;

// As they are now: a package may put others in their place.
const [write, written] = [writeSync, JSON.stringify];
const tell = (told: Told): void => void write(toldBy, `${written(told)}\n`);
/** Without the word: a package may put itself in the way of what is sent, and would learn how to say that all is well. */
const fail = (error: unknown): void => tell({ is: 'fault', why: whyOf(error) });

// What the walls of the runtime let through: no signal reaches another process, and only who runs out of memory ends by one.
process.kill = () => {
  throw new Error('An extension cannot send signals during its trial start.');
};
process.abort = () => process.exit(1);

// As a site does, it stays while there is nothing to do.
setInterval(() => {}, minute);
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

const task: Task = JSON.parse(await text(process.stdin));
tried(task).then(() => setTimeout(() => tell({ is: 'fine', word: task.word }), aMoment), fail);

async function tried(task: Task): Promise<void> {
  const watch = await watched(task.site);
  const opened = await openSite(configOf(task), silent);
  watch.limit(task.memory);
  tell({ is: 'ready', word: task.word });
  const others = await Promise.all(task.others.map((one) => packedIn(opened, one).catch(() => [])));
  const [one] = typeof task.tried === 'string' ? bundledIn(opened, task.tried) : await packedIn(opened, task.tried);
  for (const each of inOrderOfNeed([...others.flat(), one!])) join(opened, each, each === one);
  const { members, capabilities, services } = opened;
  const kernel = kernelOf(configOf(task), { members: members.all, capabilities, report: () => {}, services });
  await kernel.openApi('neutral');
  refusePages(configOf(task), opened, one!);
}

function bundledIn({ known }: Opened, slug: string): Extension[] {
  const found = known.filter(({ name }) => name === slug);
  if (found.length === 0) throw new AssemblyProblem('It is not available in this version.');
  return found;
}

async function packedIn({ services: { store } }: Opened, { entry, manifest }: Packed): Promise<Extension[]> {
  const extension = await declarationIn(entry, { manifest });
  const owner = ownerOf(extension);
  if (owner !== undefined) await store.adopt(owner);
  return [extension];
}

/** Others that cannot be are left out where the site runs, too. */
function join({ members }: Opened, extension: Extension, isTried: boolean): void {
  try {
    members.join(extension);
  } catch (error) {
    if (isTried) throw error;
  }
}

/** Nobody visits them: what is tried is that they are declared, and where. */
function refusePages(config: Config, { known, members, services }: Opened, tried: Extension): void {
  const refuse = createRefusePage(config, services, new Set(known.map(({ name }) => name)));
  const house = () => Promise.reject(new Error('Pages are not available during a trial start.'));
  const others = new Set<string>();
  for (const { extension, use } of members.all)
    if (extension !== tried) for (const { path } of pagesOf(extension, use, house)) others.add(path);
  for (const member of members.all) if (member.extension === tried) freePages(member, house, refuse, others);
}

/** What others do wrong is theirs. */
function pagesOf(extension: Extension, use: unknown, house: HouseNow): readonly Page[] {
  try {
    return extension.pages?.(use, house) ?? [];
  } catch {
    return [];
  }
}

function configOf({ folder, deployment, url }: Task): Config {
  const config = readConfig({
    flags: { data: folder, port: '0', url },
    env: { GATEHOUSE_SECRET: 'nothing is kept of this site, ever' },
  });
  return { ...config, deployment };
}

const silent = { info() {}, warn() {}, error() {} };

/** Without where things lie on this machine, of which we say nothing ourselves. */
function whyOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, longest);
  return error instanceof AssemblyProblem ? message : placeless(message);
}

const placeless = (text: string): string => text.replace(/(?:file:\/\/|(?<![\w:/.]))\/(?:[^\s'"/]+\/)+/g, '');
