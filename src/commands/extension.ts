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
  about: 'Lists the extensions of the site, both bundled and installed, and shows which of them have a newer version.',
  options: {
    json,
    available: { meaning: 'List the extensions in the catalogue instead' },
    refresh: { meaning: 'Download the catalogue again, even if the last download is less than 10 minutes old' },
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
    ask.note('Install one with "gatehouse extension install SLUG".');
}

// What the commands about one extension share.

const slug: Word = { name: 'SLUG', meaning: 'Slug of the extension, as "gatehouse extension list" shows it' };

const update: Command = {
  name: 'extension update',
  about: `Updates an installed extension to the version in the catalogue. Gatehouse downloads and checks the package. If the extension
is on, Gatehouse starts the new version in a trial first: if it does not start, the old version keeps running. A running site follows within 1 second.`,
  words: [slug],
  run: (ask) =>
    ask.inSite(async ({ extensions }) => {
      const wanted = given(ask.words, slug.name);
      const before = await extensions.find(wanted);
      const { name, version } = await extensions.update(wanted, {});
      if (before?.version === version) return ask.out(`${name} ${version} is the newest version.`);
      ask.out(`Updated ${name} to version ${version}; it was ${before?.version}.`);
    }),
};

const remove: Command = {
  name: 'extension remove',
  about:
    'Removes an installed extension that is off. Its data stays in the database, and is used if you install it again.',
  words: [slug],
  options: { yes },
  run: async (ask) => {
    const consent = consentOf(ask, 'This deletes its files, but not its data in the database');
    const wanted = given(ask.words, slug.name);
    return ask.inSite(
      async ({ extensions }) => {
        await consent(`Remove the extension ${wanted} from this site? Its data stays in the database.`);
        await extensions.remove(wanted, {});
        ask.out(`${wanted} is removed.`);
        ask.note('Its data stays in the database, and is used if you install it again.');
      },
      { withoutPackages: true },
    );
  },
};

const install: Command = {
  name: 'extension install',
  about:
    'Downloads an extension of the catalogue, checks its signed checksum, and stores it. The extension is not turned on yet.',
  words: [{ name: 'SLUG', meaning: 'Slug of the extension in the catalogue' }],
  run: (ask) =>
    ask.inSite(async ({ extensions }) => {
      const wanted = given(ask.words, 'SLUG');
      const before = await extensions.find(wanted);
      const { slug, name, version, active } = await extensions.install(wanted, {});
      ask.out(`${name} ${version} is installed${before?.installed ? ' already' : ''}.`);
      const next = (await extensions.newer(minute)).versions.get(slug);
      if (next !== undefined) ask.note(`${next} is in the catalogue: gatehouse extension update ${slug}`);
      if (!active) ask.note(`Turn it on with "gatehouse extension activate ${slug}".`);
    }),
};

const deactivate: Command = {
  name: 'extension deactivate',
  about: `Turns an extension off. Its data stays in the database. The command asks for confirmation before it turns off
an extension that protects the site.`,
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
  about: 'Turns an extension on, after a check of its files and a trial start. A running site follows within 1 second.',
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
    'Manages the extensions of the site. These commands work whether or not it is running. Authors also make and sign packages here.',
  members: [
    { name: 'new', summary: 'Create an extension of your own', command: begin },
    { name: 'list', summary: 'List the extensions of the site', command: list },
    { name: 'install', summary: 'Install an extension of the catalogue', command: install },
    { name: 'update', summary: 'Update an extension to the version in the catalogue', command: update },
    { name: 'activate', summary: 'Turn an extension on', command: activate },
    { name: 'deactivate', summary: 'Turn an extension off', command: deactivate },
    { name: 'remove', summary: 'Remove an installed extension', command: remove },
    { name: 'pack', summary: 'Make a package from a folder', command: pack },
    { name: 'sign', summary: 'Sign packages and list them in a catalogue', command: sign },
  ],
};
