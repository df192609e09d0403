// The commands about extensions.
import { type Ask, type Command, type Family, given, json, type Word } from '#cli/command.ts';
import { consentOf, yes } from '#cli/consent.ts';
import { aligned } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { minute } from '#lib/spans.ts';
import type { Card, Extensions } from '#site/packages/packages.ts';
import { command as begin } from './extension/new.ts';
import { command as pack } from './extension/pack.ts';
import { command as sign } from './extension/sign.ts';

const heads = ['SLUG', 'NAME', 'VERSION', 'STATE', 'FROM', 'NEWER'];

/** What was known of the catalogue so long ago will do. */
const lately = 10 * minute;

const stateOf = ({ installed, active, fault }: Pick<Row, 'installed' | 'active' | 'fault'>): string => {
  if (!installed) return 'not in this version';
  if (fault !== null) return 'on, not usable here';
  return active ? 'on' : 'off';
};

interface Row extends Card {
  /** The version that the catalogue has. */
  readonly newer: string | null;
  /** Why it is on and its files cannot be used on this machine. */
  readonly fault: string | null;
}

const cells = ({ slug, name, version, bundled, newer, ...card }: Row): string[] =>
  [slug, name, version, stateOf(card), bundled ? 'Gatehouse' : 'a package', newer ?? ''].map(printable);

const list: Command = {
  name: 'extension list',
  about:
    'Lists the extensions of the site: those that come with Gatehouse, and those that were installed. Says which of them have a newer version.',
  options: {
    json,
    available: { meaning: 'List what the catalogue offers, in place of what the site has' },
    refresh: { meaning: 'Fetch the catalogue again, even if it was fetched some minutes ago' },
  },
  run: (ask) =>
    ask.inSite(
      async ({ extensions }) => {
        const age = ask.options.refresh === undefined ? lately : 0;
        await (ask.options.available === undefined ? listed : offered)(ask, extensions, age);
      },
      { withoutPackages: true },
    ),
};

async function listed(ask: Ask, extensions: Extensions, age: number): Promise<void> {
  const [cards, { versions, fault }, faults] = await Promise.all([
    extensions.list(),
    extensions.newer(age),
    extensions.faults(),
  ]);
  const rows = cards.map((card): Row => {
    const { slug } = card;
    return { ...card, newer: versions.get(slug) ?? null, fault: faults.get(slug) ?? null };
  });
  if (fault !== undefined) ask.note(printable(fault));
  if (ask.options.json !== undefined) return ask.out(printableJson(rows));
  for (const line of aligned([heads, ...rows.map(cells)])) ask.out(line);
  for (const why of faults.values()) ask.note(printable(why));
  for (const [slug, version] of versions)
    ask.note(`${slug} ${version} is in the catalogue: gatehouse extension update ${slug}`);
}

async function offered(ask: Ask, extensions: Extensions, age: number): Promise<void> {
  const { offers, fault } = await extensions.offers(age);
  if (fault !== undefined) ask.note(printable(fault));
  if (ask.options.json !== undefined) return ask.out(printableJson(offers));
  const lines = offers.map(({ slug, name, version, installed, free, description }) =>
    [slug, name, version, installed ?? (free ? '' : 'not for free'), description].map(printable),
  );
  for (const line of aligned([['SLUG', 'NAME', 'VERSION', 'INSTALLED', 'WHAT IT IS'], ...lines])) ask.out(line);
  if (offers.some(({ free, installed }) => free && installed === null))
    ask.note('Fetch one with "gatehouse extension install SLUG".');
}

// What the commands about one extension share.

const slug: Word = { name: 'SLUG', meaning: 'The extension, as "gatehouse extension list" shows it' };

const update: Command = {
  name: 'extension update',
  about: `Brings an extension that was installed to the version that the catalogue has. It is fetched and checked as one that is
installed, and tried first where it is on; a site that serves has it a moment later. What does not start leaves the old one running.`,
  words: [slug],
  run: (ask) =>
    ask.inSite(async ({ extensions }) => {
      const wanted = given(ask.words, slug.name);
      const before = await extensions.find(wanted);
      const { name, version } = await extensions.update(wanted, {});
      if (before?.version === version) return ask.out(`${name} ${version} is the newest there is.`);
      ask.out(`${name} is ${version} now; it was ${before?.version}.`);
    }),
};

const remove: Command = {
  name: 'extension remove',
  about:
    'Removes an extension that was installed and is off. What it kept in the database stays, for when it is installed again.',
  words: [slug],
  options: { yes },
  run: async (ask) => {
    const consent = consentOf(ask, 'Its files go, while what it kept in the database stays');
    const wanted = given(ask.words, slug.name);
    return ask.inSite(
      async ({ extensions }) => {
        await consent(`Remove the extension ${wanted} from this site? What it kept in the database stays.`);
        await extensions.remove(wanted, {});
        ask.out(`${wanted} is removed.`);
        ask.note('What it kept in the database stays, for when it is installed again.');
      },
      { withoutPackages: true },
    );
  },
};

const install: Command = {
  name: 'extension install',
  about:
    'Fetches an extension of the catalogue, checks that nobody changed it on the way, and keeps it. It is not switched on yet.',
  words: [{ name: 'SLUG', meaning: 'The extension, as the catalogue names it' }],
  run: (ask) =>
    ask.inSite(async ({ extensions }) => {
      const wanted = given(ask.words, 'SLUG');
      const before = await extensions.find(wanted);
      const { slug, name, version, active } = await extensions.install(wanted, {});
      ask.out(`${name} ${version} is installed${before?.installed ? ' already' : ''}.`);
      const next = (await extensions.newer(minute)).versions.get(slug);
      if (next !== undefined) ask.note(`${next} is in the catalogue: gatehouse extension update ${slug}`);
      if (!active) ask.note(`Switch it on with "gatehouse extension activate ${slug}".`);
    }),
};

const deactivate: Command = {
  name: 'extension deactivate',
  about: `Switches an extension off. What it keeps stays, for when it is on again. Asks before it switches off
what defends the site.`,
  words: [slug],
  options: { yes },
  // No code of packages is run: it may be what keeps the site from opening.
  run: async (ask) => {
    const wanted = given(ask.words, slug.name);
    const { bundledNamed } = await import('../boot/open-site.ts');
    const defends = bundledNamed(wanted)?.defends;
    const consent = defends && consentOf(ask, defends.why);
    return ask.inSite(
      async ({ extensions }) => {
        if (consent && (await extensions.find(wanted))?.active) {
          ask.note(`These stop at once, until the ${defends.called} is active again:`);
          for (const stops of defends.stops) ask.note(`  - ${stops}`);
          await consent(`Deactivate the ${defends.called}?`);
        }
        const { name } = await extensions.deactivate(wanted, {});
        ask.out(`${name} is off.`);
      },
      { withoutPackages: true },
    );
  },
};

const activate: Command = {
  name: 'extension activate',
  about:
    'Switches an extension on. Its files are checked and it is tried first; a site that serves has it a moment later.',
  words: [slug],
  run: (ask) =>
    ask.inSite(async ({ extensions }) => {
      const { name } = await extensions.activate(given(ask.words, slug.name), {});
      ask.out(`${name} is on.`);
    }),
};

export const command: Family = {
  name: 'extension',
  about:
    'The extensions of the site, whether it is serving or not. For authors: making packages, and signing what sites may install.',
  members: [
    { name: 'new', summary: 'Begin an extension of your own', command: begin },
    { name: 'list', summary: 'List the extensions of the site', command: list },
    { name: 'install', summary: 'Fetch an extension of the catalogue', command: install },
    { name: 'update', summary: 'Bring an extension to the version of the catalogue', command: update },
    { name: 'activate', summary: 'Switch an extension on', command: activate },
    { name: 'deactivate', summary: 'Switch an extension off', command: deactivate },
    { name: 'remove', summary: 'Remove an extension that was installed', command: remove },
    { name: 'pack', summary: 'Make a package of a folder', command: pack },
    { name: 'sign', summary: 'Sign packages and list them in a catalogue', command: sign },
  ],
};
