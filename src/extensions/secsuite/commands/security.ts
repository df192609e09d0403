// The commands of the security suite: the way back in, its configuration as a file, and trying firewall rules.
import { type Ask, type Command, Failed, type Family, given, json, WrongUse } from '#cli/command.ts';
import { number } from '#cli/table.ts';
import { nobody } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { readAll, writeNew } from '../disk/texts.ts';
import type { Suite } from '../parts.ts';
import { signing } from './sign-rules.ts';
import { inSuite, trust, unblock } from './unblock.ts';

const fileWord = { name: 'FILE', meaning: 'The file; - is standard output or standard input' } as const;
const only = {
  only: { value: 'source', meaning: 'Only this: modules, user-groups, dashboard, database-bans, settings', many: true },
} as const;

function chosenIn({ lists }: Ask, suite: Suite): true | readonly string[] {
  const { only: chosen } = lists;
  if (chosen === undefined) return true;
  const slugs = suite.transfer.sources().map(({ slug }) => slug);
  const unknown = chosen.find((slug) => !slugs.includes(slug));
  if (unknown === undefined) return chosen;
  throw new WrongUse(`The source ${printable(unknown).slice(0, 64)} does not exist. Choose from ${slugs.join(', ')}.`);
}

const exporting: Command = {
  name: 'security export',
  about: `Writes the configuration of the security suite into a file: modules, user groups, dashboards, bans and settings. Secrets, such as
API keys, are not exported: set them again on the other site.`,
  words: [fileWord],
  options: { ...only, force: { meaning: 'Replace the file if it exists' } },
  run: (ask) =>
    inSuite(ask, async (suite) => {
      const sources = chosenIn(ask, suite);
      const work = suite.transfer.export({ title: '', sources, options: {}, by: undefined });
      const { document } = await ask.progress.during('Exporting', work);
      const text = `${JSON.stringify(document, null, 2)}\n`;
      const file = given(ask.words, fileWord.name);
      if (file === '-') ask.io.stdout.write(text);
      else await writeNew(ask.path(file), text, ask.options.force !== undefined).catch(failed);
      const place = file === '-' ? 'Standard output' : ask.path(file);
      ask.note(printable(`${place} holds ${Object.keys(document.sources).join(', ')}.`));
    }),
};

const maps = {
  'drop-users': { meaning: 'Import no user; without it, users are found by their email addresses' },
  'drop-roles': { meaning: 'Import no role; without it, roles are found by their names' },
  check: { meaning: 'Only check the file, and import nothing' },
} as const;

const importing: Command = {
  name: 'security import',
  about: `Imports a file that "security export" wrote, or that a security manager downloaded: all of it or nothing. User groups and dashboards
of this site are deleted if the file has others. Bans are added. Secrets of this site do not change.`,
  words: [fileWord],
  options: { ...only, ...maps },
  run: (ask) =>
    inSuite(ask, async (suite) => {
      const { transfer } = suite;
      const sources = chosenIn(ask, suite);
      const file = given(ask.words, fileWord.name);
      const bytes = await readAll(file === '-' ? ask.io.stdin : ask.path(file), transfer.mostSent).catch(failed);
      let doing = 'Importing';
      const work = async (): Promise<string[]> => {
        const document = await transfer.readFile(bytes, file);
        if (ask.options.check !== undefined) {
          transfer.validate(document);
          return [];
        }
        return transfer.run(document, {
          sources,
          users: ask.options['drop-users'] === undefined,
          roles: ask.options['drop-roles'] === undefined,
          // Whoever runs the server is not kept out by what is imported.
          behalf: { caller: nobody, wouldManage: () => true },
          self: '',
          onProgress: (title) => {
            doing = `Importing: ${title}`;
          },
        });
      };
      const warnings = await ask.progress.during(() => doing, work()).catch(failed);
      for (const warning of warnings) ask.note(printable(warning));
      ask.out(ask.options.check === undefined ? 'The configuration was imported.' : 'The file is a valid export.');
    }),
};

const ruleWord = { name: 'RULE', meaning: 'The id of a rule, or a file with a rule; - is standard input' } as const;
const usualLines = 20;
const mostRule = 1024 * 1024;

const rehearsing: Command = {
  name: 'security rehearse',
  about: `Tries a firewall rule on a sample of the requests of the last 24 hours, whether the rule is paused, running or not stored at all.
It says how many the rule matches. If the match depends on a value that was not stored, the result is unknown.`,
  words: [ruleWord],
  options: {
    lines: { value: 'number', meaning: `How many requests to list (default: ${usualLines})` },
    json,
  },
  run: (ask) =>
    inSuite(ask, async ({ rehearsal, firewall }) => {
      const { lines = String(usualLines) } = ask.options;
      if (!/^\d{1,3}$/.test(lines)) throw new WrongUse('--lines must be a number from 0 to 999.');
      const named = given(ask.words, ruleWord.name);
      const rule = /^\d+$/.test(named)
        ? (await firewall.rules.get(Number(named)).catch(failed)).config
        : await ruleIn(ask, named, firewall.rules).catch(failed);
      const found = await ask.progress.during('Trying the rule', rehearsal.try(rule));
      if (ask.options.json !== undefined) return ask.out(printableJson(found, 0));
      for (const one of found.requests.slice(0, Number(lines))) ask.out(printable(lineOf(one)));
      ask.note(summaryOf(found));
    }),
};

type Rehearsed = Awaited<ReturnType<Suite['rehearsal']['try']>>;
type Rule = Parameters<Suite['rehearsal']['try']>[0];

async function ruleIn(ask: Ask, file: string, { check }: Pick<Suite['firewall']['rules'], 'check'>): Promise<Rule> {
  const text = (await readAll(file === '-' ? ask.io.stdin : ask.path(file), mostRule)).toString('utf8');
  const refuse = (): never => {
    throw new Failed(printable(`${file} is not a firewall rule. Write JSON with \`rules\` and \`type\`.`));
  };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return refuse();
  }
  const { config = document } = Object(document) as { readonly config?: unknown };
  if (typeof config !== 'object' || config === null || !('rules' in config)) return refuse();
  check(config);
  return config as Rule;
}

const verdicts: Readonly<Record<string, string>> = { matched: 'matched', unknown: 'cannot tell' };

/** `2026-11-22 10:00:00  matched  POST /api/core/v2/posts  post.title, post.content` */
const lineOf = ({ at, verdict, method, path, parameters }: Rehearsed['requests'][number]): string =>
  [at.slice(0, 19).replace('T', ' '), verdicts[verdict], `${method} ${path}`, parameters.join(', ')]
    .filter((part) => part !== '')
    .join('  ');

const summaryOf = ({ total, matched, notMatched, unknown }: Rehearsed): string =>
  total === 0
    ? 'No request of the last 24 hours is stored.'
    : `Of ${number(total)} requests: ${number(matched)} matched, ${number(notMatched)} not matched, ${number(unknown)} unknown without values.`;

function failed(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const reasons = Object.values((error.details.params ?? {}) as Record<string, string>);
  throw new Failed(printable([error.message, ...reasons].join(' ')));
}

export const command: Family = {
  name: 'security',
  about:
    'Manages lockouts, bans, firewall rules and the configuration of the security suite. These commands work whether or not the site is running.',
  members: [
    { name: 'unblock', summary: 'Unblock an IP address, or end all lockouts', command: unblock },
    { name: 'trust', summary: 'Trust an IP address for some hours', command: trust },
    { name: 'export', summary: 'Write the configuration into a file', command: exporting },
    { name: 'import', summary: 'Import the configuration from a file', command: importing },
    { name: 'sign-rules', summary: 'Sign a list of firewall rules for other sites', command: signing },
    { name: 'rehearse', summary: 'Try a firewall rule on requests of the last 24 hours', command: rehearsing },
  ],
};
