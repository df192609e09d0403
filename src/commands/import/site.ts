import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type Ask, type Command, Failed, given, json, type Word, WrongUse } from '#cli/command.ts';
import { number } from '#cli/table.ts';
import { Problem } from '#kernel/problem.ts';
import { printable } from '#lib/printable.ts';
import { refusing } from '#site/outgoing/outgoing.ts';
import type { SiteServices } from '#site/services.ts';
import type { Arriving } from '#site/transfer/import/arriving.ts';
import { createArriving } from '#site/transfer/import/create.ts';
import { createReport } from '#site/transfer/import/report.ts';
import { discover } from '#site/transfer/import/rest/discovering.ts';
import { moveFromSite } from '#site/transfer/import/rest/moving.ts';
import { createFetching, type FileSizes } from '#site/transfer/import/rest/reading.ts';
import {
  type Asking,
  type Credential,
  createSource,
  type Interface,
  isSafe,
} from '#site/transfer/import/rest/source.ts';
import { openSources } from '#site/transfer/import/sources.ts';
import { demandHere } from '#site/transfer/import/users.ts';
import type { Config } from '../../config.ts';
import { arrivalOf, arrivalOptions, moving, type Told } from './options.ts';
import { telling } from './told.ts';

const address: Word = { name: 'URL', meaning: 'The address of the other site' };

export const command: Command = {
  name: 'import site',
  about: `Moves in from a site that is running, by its interface: people, categories, tags, files, posts, pages, reusable blocks, menus
and comments. Without --user only what everybody is shown comes along, as it is shown, and all HTML is filtered. With somebody who may
edit everything there it comes as it was written, with drafts and private pages. An application password can be given in a file or is
asked for; given on the command line, others who use this machine can read it. What lies in the trash there, and spam, stays. A second
run makes nothing twice, and finishes what was broken off.`,
  words: [address],
  options: {
    user: { value: 'login', meaning: 'Who reads there; an administrator sees everything' },
    'app-password-file': { value: 'file', meaning: 'An application password of that user, the first line of a file' },
    'app-password': { value: 'text', meaning: 'The same, as it is; a file, or being asked, is safer' },
    uploads: {
      value: 'path',
      meaning: 'The folder of its uploaded files, or a tar archive of it; what is not there is fetched',
    },
    ...arrivalOptions,
    json,
  },
  run: async (ask) => {
    const arrival = arrivalOf(ask);
    const credential = await credentialOf(ask);
    // What everybody is shown may be anybody's.
    const told = { ...arrival, unfiltered: arrival.unfiltered && credential !== undefined };
    let code = 0;
    await ask.inSite(async (services, config) => {
      code = await arrive(ask, { told, credential }, services, config);
    });
    return code;
  },
};

interface Given {
  readonly told: Told;
  readonly credential: Credential | undefined;
}

async function arrive(ask: Ask, { told, credential }: Given, services: SiteServices, config: Config) {
  await demandHere(services.identity.users, told);
  const asking = askingOf(services);
  const looking = discover(given(ask.words, address.name), asking).catch(unfound);
  const found = await ask.progress.during('Looking for the interface', looking);
  if (credential !== undefined) refuseOverheard(found, config);
  ask.note(printable(`Moving in from ${found.home}, by ${found.root.href}`));
  const sizes: FileSizes = new Map();
  const sources = await sourcesOf(ask, told, services, config);
  try {
    const file = createFetching({ ...asking, ...told, sources, sizes });
    const report = createReport();
    const work = moving(services, told, found.home, async (store) => {
      const needs = { ...services, store, url: config.url };
      const arriving = createArriving(needs, { ...told, from: found.home, file }, report);
      if (!(await move(ask, { asking, arriving, sizes, found, credential })))
        ask.note('The other site cannot be read on now. Run this again to go on.');
    });
    return await telling(report, ask, work);
  } finally {
    await sources.close();
  }
}

/** Whoever moves in may know better than the guard. */
function unfound(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'unsafe_url') return refusing('not_fetched')(error);
  throw new Failed(`${error.message} A site in your own network is let in by --fetch-allow-hosts, with its port.`);
}

const sourcesOf = (
  { options, path }: Ask,
  { dryRun }: Told,
  { spool, outgoing }: SiteServices,
  { uploadLimit }: Config,
) =>
  openSources({
    spool,
    outgoing,
    uploads: options.uploads === undefined ? undefined : path(options.uploads),
    isFetching: true,
    withinHost: true,
    limit: uploadLimit,
    isDry: dryRun,
  });

const askingOf = ({ outgoing, clock }: SiteServices): Asking => ({
  outgoing,
  pace: { wait: async (milliseconds) => void (await setTimeout(milliseconds)), now: clock },
});

interface Moving {
  readonly asking: Asking;
  readonly arriving: Arriving;
  readonly sizes: FileSizes;
  readonly found: Interface;
  readonly credential: Credential | undefined;
}

async function move(ask: Ask, { asking, arriving, sizes, found, credential }: Moving): Promise<boolean> {
  let line = 'Reading';
  const progress = (what: string, done: number, total: number | undefined): void => {
    line = total === undefined ? `${what}: ${number(done)}` : `${what}: ${number(done)} of ${number(total)}`;
  };
  const note = (text: string): void => ask.note(printable(text));
  const source = createSource(found, asking, credential);
  return ask.progress.during(() => line, moveFromSite({ source, arriving, sizes, note, progress }));
}

/** How the password comes: refused at once where none could. */
async function credentialOf({ options, input, path }: Ask): Promise<Credential | undefined> {
  const { user: login, 'app-password': plain, 'app-password-file': file } = options;
  if (login === undefined) {
    if (plain === undefined && file === undefined) return undefined;
    throw new WrongUse('An application password is somebody’s; say whose with --user.');
  }
  if (login.includes(':')) throw new WrongUse('--user must not hold a colon.');
  if (plain !== undefined && file !== undefined)
    throw new WrongUse('Give --app-password or --app-password-file, not both.');
  if (plain !== undefined) return { login, password: plain };
  if (file !== undefined) return { login, password: firstLineOf(file, path(file)) };
  if (!input.hasTerminal)
    throw new WrongUse('Nobody can be asked for the application password here; add --app-password-file.');
  return { login, password: (await input.askHidden(`Application password of ${printable(login)}: `)).trim() };
}

function firstLineOf(file: string, path: string): string {
  const [line = ''] = read(file, path).split('\n', 1);
  if (line.trim() === '') throw new WrongUse(printable(`There is no application password in ${file}.`));
  return line.trim();
}

function read(file: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failed(printable(`${file} cannot be read: ${(error as Error).message}`));
  }
}

function refuseOverheard({ root }: Interface, { fetchAllowHosts }: Config): void {
  if (isSafe(root, fetchAllowHosts)) return;
  const message = `${root.origin} is not https, so anybody on the way could read the password. Nothing was asked.`;
  throw new Failed(printable(message));
}
