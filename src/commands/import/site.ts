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

const address: Word = { name: 'URL', meaning: 'URL of the other site' };

export const command: Command = {
  name: 'import site',
  about: `Imports from a running site through its API: users, categories, tags, files, posts, pages, reusable blocks, menus and comments.
Without --user the import gets only public content, as visitors see it, and filters all HTML. With a user who can edit everything
there, it gets the original texts, drafts and private pages. The command asks for the application password of this user, or reads it from
a file. If you give it on the command line, other users of this machine can read it. Trash and spam are not imported. A second run
creates nothing twice, and finishes an import that was stopped.`,
  words: [address],
  options: {
    user: { value: 'login', meaning: 'Login of a user of the other site; an administrator sees everything' },
    'app-password-file': { value: 'file', meaning: 'File whose first line is an application password of that user' },
    'app-password': { value: 'text', meaning: 'The application password itself; a file or the prompt is safer' },
    uploads: {
      value: 'path',
      meaning: 'The folder of its uploaded files, or a tar archive of it; missing files are downloaded',
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
  const found = await ask.progress.during('Looking for the API', looking);
  if (credential !== undefined) refuseOverheard(found, config);
  ask.note(printable(`Importing from ${found.home}, through ${found.root.href}`));
  const sizes: FileSizes = new Map();
  const sources = await sourcesOf(ask, told, services, config);
  try {
    const file = createFetching({ ...asking, ...told, sources, sizes });
    const report = createReport();
    const work = moving(services, told, found.home, async (store) => {
      const needs = { ...services, store, url: config.url };
      const arriving = createArriving(needs, { ...told, from: found.home, file }, report);
      if (!(await move(ask, { asking, arriving, sizes, found, credential })))
        ask.note('The other site does not answer. Run this command again to continue.');
    });
    return await telling(report, ask, work);
  } finally {
    await sources.close();
  }
}

/** Whoever moves in may know better than the guard. */
function unfound(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'unsafe_url') return refusing('not_fetched')(error);
  throw new Failed(
    `${error.message} To allow a site in your own network, give its host and port with --fetch-allow-hosts.`,
  );
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
    throw new WrongUse('An application password needs the login of its user; give it with --user.');
  }
  if (login.includes(':')) throw new WrongUse('--user must not contain a colon.');
  if (plain !== undefined && file !== undefined)
    throw new WrongUse('Give --app-password or --app-password-file, not both.');
  if (plain !== undefined) return { login, password: plain };
  if (file !== undefined) return { login, password: firstLineOf(file, path(file)) };
  if (!input.hasTerminal)
    throw new WrongUse('There is no terminal to ask for the application password; add --app-password-file.');
  return { login, password: (await input.askHidden(`Application password of ${printable(login)}: `)).trim() };
}

function firstLineOf(file: string, path: string): string {
  const [line = ''] = read(file, path).split('\n', 1);
  if (line.trim() === '') throw new WrongUse(printable(`${file} holds no application password.`));
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
  const message = `${root.origin} is not https, so others on the network could read the password. The command sent nothing.`;
  throw new Failed(printable(message));
}
