import { printable, printableJson } from '#lib/printable.ts';
import { minute } from '#lib/spans.ts';
import type { Card, Extensions } from '#site/packages/packages.ts';
import { flagNames } from '../../config.ts';
import { type Ask, type Command, json } from '../command.ts';
import { inSite } from '../opened.ts';
import { aligned } from '../table.ts';

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

export const command: Command = {
  name: 'extension list',
  about:
    'Lists the extensions of the site: those that come with Gatehouse, and those that were installed. Says which of them have a newer version.',
  settings: flagNames,
  options: {
    json,
    available: { meaning: 'List what the catalogue offers, in place of what the site has' },
    refresh: { meaning: 'Ask for the catalogue anew: without it one of the last minutes will do' },
  },
  run: (ask) =>
    inSite(
      ask,
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
