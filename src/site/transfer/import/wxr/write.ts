// A site as an export file of this family: RSS with elements of its own. Written piece by piece, however large the site is.
import { slugOf } from '#lib/slug.ts';
import { utcTime, wallTime } from '#lib/wall-time.ts';
import type { AnyStore } from '#store/store.ts';
import type { Content } from '../../../content/content.ts';
import type { AboutNow } from '../../../platform/about.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Settings } from '../../../platform/settings/settings.ts';
import type { SiteGroup } from '../../../platform/settings/site.ts';
import { authorsOf, type Db, siteOf, termsOf } from './channel.ts';
import { itemOf } from './items.ts';
import { leaving } from './leaving.ts';
import { namespaces } from './names.ts';
import type { Selection } from './selection.ts';

interface ExportDeps {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly about: AboutNow;
  readonly settings: Settings;
  readonly siteGroup: SiteGroup;
  readonly content: Content;
}

export interface Exporting {
  /** `{site}.{YYYY-MM-DD}.xml`. */
  name(): Promise<string>;
  /** Gives `take` the pieces of the file, all as they are at one moment. What comes next is read once it has taken the last. */
  write(
    selection: Selection,
    take: (pieces: AsyncIterable<string>) => Promise<void>,
    progress?: Progress,
  ): Promise<void>;
}

/** So many records are written by now. */
export type Progress = (records: number) => void;

/** What belongs to each kind of name on every system. */
const nameable = /[^a-z0-9]+/g;

export function createExporting(deps: ExportDeps): Exporting {
  const { store, clock, about, content } = deps;
  return {
    async name() {
      const { title } = await about();
      const site =
        slugOf(title)
          .replace(nameable, '-')
          .replace(/^-+|-+$/g, '')
          .slice(0, 60) || 'site';
      return `${site}.${wallTime(await content.zone(), clock()).slice(0, 10)}.xml`;
    },
    write: (selection, take, progress) => store.still((db) => take(gathered(pieces(deps, db, selection, progress)))),
  };
}

/** In characters. */
const atOnce = 2 ** 16;

/** Whoever takes pieces does so for much less than each of many small ones would cost. */
async function* gathered(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < atOnce) continue;
    yield text;
    text = '';
  }
  yield text;
}

async function* pieces(deps: ExportDeps, db: Db, selection: Selection, progress: Progress = () => {}) {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${declared}>\n<channel>\n`;
  yield* lines(headOf(deps, db, selection));
  const { content } = deps;
  let records = 0;
  for await (const some of leaving(db, selection)) {
    const links = await content.permalinks.of(some.map(({ post }) => post));
    for (const one of some) yield* itemOf(one, links.get(one.post.id)!, content.media.urlOf);
    records += some.length;
    progress(records);
  }
  yield '</channel>\n</rss>\n';
}

const declared = Object.entries(namespaces)
  .map(([prefix, address]) => `xmlns:${prefix}="${address}"`)
  .join(' ');

async function* lines(all: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const one of all) yield `${one}\n`;
}

async function* headOf(deps: ExportDeps, db: Db, selection: Selection): AsyncGenerator<string> {
  const { about, settings, siteGroup, clock, content } = deps;
  const { title, url, language } = await about();
  const { description } = await settings.read(siteGroup);
  yield siteOf({ title, url, description, language: language.replaceAll('_', '-'), utc: utcTime(clock()) });
  yield* authorsOf(db, selection);
  if (selection.type !== undefined) return;
  for (const { name } of content.kinds.taxonomies) yield* termsOf(db, name);
}
