// Folders of a large media library, each over real HTTP on one connection.
import { totalTopics } from '#site/content/tables.ts';
import { count } from '#site/platform/totals.ts';
import type { AnyStore } from '#store/store.ts';
import { booted } from './booted.ts';
import { usage } from './child.ts';
import { onEach, type Place, stated } from './databases.ts';
import { type Spread, spread } from './measure.ts';
import { type Figure, number, type Section } from './report.ts';

const folders = 10_000;
const files = 100_000;
const siblings = 50;
const rounds = 15;
const most = { tree: 60, drag: 10, list: 1.5, assign: 150 };

export const measureMediaFolders = async (): Promise<Section> => ({
  title: 'Media folders',
  about: `A library of ${number(files)} files in ${number(folders)} folders, ${siblings} of them in each. Each figure is the median of
${rounds} requests, with the least in brackets; the time to make the JSON and to read it is part of it. CPU is that of the site and the
client, without the server of PostgreSQL.`,
  figures: await onEach(measured),
});

async function measured(engine: string, place: Place): Promise<Figure[]> {
  const { app, credentials } = await booted(place);
  try {
    await fill(app.services.store);
    // As PostgreSQL does by itself within a minute.
    if (place.database !== undefined) await stated(place.database, 'analyze');
    const origin = await app.listen();
    const ask = async (path: string, body?: unknown): Promise<unknown> => {
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const headers = { ...credentials, 'Content-Type': 'application/json' };
      const answer = await fetch(`${origin}/api/${path}`, { ...sent, headers });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    };
    return (await figures(ask)).map((figure) => ({ ...figure, what: `${engine}, ${figure.what}` }));
  } finally {
    await app.close();
  }
}

type Ask = (path: string, body?: unknown) => Promise<unknown>;

async function figures(ask: Ask): Promise<Figure[]> {
  const own = 'mediafolders/v1';
  const tree = () => ask(`${own}/get-folders`);
  const warm = await timed(tree);
  let turn = 0;
  const afterRename = await timed(tree, () =>
    ask(`${own}/update-folder`, { id: 7, title: `Named ${turn++}`, parent: 0 }),
  );
  // The folders 1 to 50 lie at the top.
  const drag = await timed(() => {
    turn += 1;
    return ask(`${own}/update-folder-ord`, {
      dragNodeId: 1 + (turn % 49),
      dropNodeId: 50,
      dropPosition: turn % 2 || -1,
      toParentId: 0,
    });
  });
  const list = async (query: string) => timed(() => ask(`core/v2/media?per_page=10&_fields=id${query}`));
  const [plain, filtered] = [await list(''), await list('&mf_folder=4711')];
  const assign = await timed(() => {
    turn += 1;
    return ask(`${own}/assign-folder`, {
      folderId: 1 + (turn % 9_000),
      ids: Array.from({ length: 1_000 }, (_, at) => at + 1),
    });
  });
  return [
    within('the tree with its counts, warm', warm, most.tree),
    within('the same after a rename', afterRename, most.tree),
    within(`a drag among ${siblings} folders`, drag, most.drag),
    {
      what: 'page 1 of the files of a folder, against page 1 of all files',
      ours: `${number(filtered.median, 1)} ms`,
      reference: `${number(plain.median, 1)} ms`,
      ratio: number(filtered.median / plain.median, 2),
      cpu: `${number(filtered.cpu, 1)} ms / ${number(plain.cpu, 1)} ms`,
      wanted: `≤ ${most.list}`,
      holds: filtered.median / plain.median <= most.list,
    },
    within('1,000 files put into a folder', assign, most.assign),
  ];
}

const within = (what: string, { median, least, cpu }: Took, limit: number): Figure => ({
  what,
  ours: `${number(median, 1)} ms (${number(least, 1)} ms)`,
  cpu: `${number(cpu, 1)} ms`,
  wanted: `≤ ${limit} ms`,
  holds: median <= limit,
});

interface Took extends Spread {
  /** Milliseconds of processor that the site and the client took for each. */
  readonly cpu: number;
}

/** In milliseconds, of the work alone. */
async function timed(work: () => Promise<unknown>, before: () => Promise<unknown> = async () => {}): Promise<Took> {
  await before();
  await work();
  const took: number[] = [];
  let cpu = 0;
  for (let round = 0; round < rounds; round++) {
    await before();
    const [began, used] = [performance.now(), usage().cpu];
    await work();
    took.push(performance.now() - began);
    cpu += usage().cpu - used;
  }
  return { ...spread(took), cpu: cpu / rounds / 1_000 };
}

const atOnce = 1_000;

/** Rows as uploads and folders leave them, without the files. */
async function fill(store: AnyStore): Promise<void> {
  const all = (length: number, from: number) =>
    Array.from({ length: Math.min(atOnce, length - from) }, (_, at) => from + at + 1);
  for (let from = 0; from < folders; from += atOnce)
    await store.write((tx) => tx.insertInto('media_folders').values(all(folders, from).map(folderRow)).execute());
  await store.write((tx) => tx.insertInto('media_folder_trees').values({ owner: 0, version: 1, deleted: 0 }).execute());
  for (let from = 0; from < files; from += atOnce)
    await store.write(async (tx) => {
      const ids = all(files, from);
      await tx.insertInto('posts').values(ids.map(postRow)).execute();
      await tx.insertInto('media').values(ids.map(mediaRow)).execute();
      const items = ids.map((id) => ({ owner: 0, attachment_id: id, folder_id: (id % folders) + 1 }));
      await tx.insertInto('media_folder_items').values(items).execute();
      await count(tx, totalTopics.posts, { 'attachment/inherit': ids.length });
    });
}

const folderRow = (id: number) => ({
  id,
  owner: 0,
  parent: id <= siblings ? 0 : Math.floor((id - 1) / siblings),
  name: `Folder ${id}`,
  name_key: `folder ${id}`,
  ord: id % siblings,
  color: '',
  version: 1,
});

function postRow(id: number) {
  const date = new Date(Date.UTC(2020, 0, 1) + ((id * 7_919) % files) * 1_000_000).toISOString().slice(0, 19);
  return {
    id,
    type: 'attachment',
    status: 'inherit',
    author: 1,
    slug: `file-${id}`,
    title: `File ${id}`,
    title_key: `file ${id}`,
    mime_type: 'image/jpeg',
    date,
    date_gmt: date,
    modified: date,
    modified_gmt: date,
    comment_status: 'closed',
    ping_status: 'closed',
    parent: 0,
    menu_order: 0,
    password: '',
    template: '',
    format: '',
    sticky: 0,
    featured_media: 0,
    guid: '',
    version: 1,
    excerpt: '',
    content: '',
  };
}

const mediaRow = (post_id: number) => ({
  post_id,
  file: `2026/11/file-${post_id}.jpg`,
  original: null,
  size: 1_000,
  width: null,
  height: null,
  alt_text: '',
  details: '{"sizes":{},"about":{}}',
  unfinished: 0,
});
