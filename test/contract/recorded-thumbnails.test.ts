// The regeneration of thumbnails as it was recorded, replayed.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import type { TestSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';
import { shipped } from './checker.ts';
import { type Exchange, replayOn } from './recorded.ts';

interface Recorded {
  readonly name: string;
  readonly request_line: string;
  readonly as: string | null;
  readonly request_headers?: Record<string, string>;
  readonly request_body: unknown;
  readonly response: { readonly status: number; readonly headers: [string, string][]; readonly json: unknown };
}

const recordings: Recorded[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../spec/recorded/regenerate-thumbnails.json'), 'utf8'),
);

const shortRecord = [
  'body.additional_data: missing',
  'body.data.fullsizepath: more',
  'body.data.status: more',
  ...'post_author post_date post_date_gmt post_content post_excerpt post_status comment_status ping_status'.split(' '),
  ...'post_password post_name to_ping pinged post_modified post_modified_gmt post_content_filtered'.split(' '),
  ...'post_parent guid menu_order post_type comment_count filter'.split(' '),
].map((line) => (line.startsWith('body') ? line : `body.data.attachment.${line}: missing`));

/** Where the answers differ from those recorded, and why. */
const accepted: Readonly<Record<string, { readonly why: string; readonly differs: readonly string[] }>> = {
  gone: { why: 'Decision (3.3): the record is named by three fields, and nothing is said twice', differs: shortRecord },
  schema: { why: 'A route of records publishes what they hold', differs: ['body.schema: more'] },
  featured: { why: '3.4: the id is a number', differs: ['body[].id: number instead of string'] },
};

function acceptedFor({ request_line, response }: Recorded): readonly string[] {
  if (request_line.startsWith('OPTIONS') && request_line.includes('/featuredimages')) return accepted.schema!.differs;
  const { code } = response.json as { code?: string };
  if (code === 'regenerate_thumbnails_regenerator_file_not_found') return accepted.gone!.differs;
  return request_line.includes('/featuredimages') && response.status === 200 && request_line.startsWith('GET')
    ? accepted.featured!.differs
    : [];
}

interface Numbers {
  readonly [recorded: string]: number;
}

async function seed(site: TestSite): Promise<Numbers> {
  const upload = async (name: string, body: Uint8Array | string): Promise<number> =>
    (await send(site, 'administrator', name, body)).body.id;
  const jpeg = await picture(400, 300);
  const numbers = { 37: await upload('seed-33.jpg', jpeg), 53: await upload('seed-49.jpg', jpeg) };
  const post = async (featured_media: number): Promise<number> => {
    const said = { title: 'Post', status: 'publish', featured_media };
    return (await site.as('administrator').post('/api/core/v2/posts', said)).body.id;
  };
  for (let count = 0; count < 25; count++) await post(await upload(`featured-${count}.jpg`, await picture(20, 20)));
  return { ...numbers, 76: await post(0), 58: numbers[37], 1161: await upload('tt.txt', 'a text') };
}

/** What was done to the files before some exchanges. */
function deedsBefore(place: number, { config }: TestSite): void {
  const { name, request_line } = recordings[place]!;
  const folder = join(config.data, 'media/2026/11');
  const isAfter = recordings.findIndex((one) => one.name === 'regenerate only missing') < place;
  if (name === '(text)' && request_line.startsWith('GET') && request_line.includes('attachmentinfo/53'))
    rmSync(join(folder, isAfter ? 'seed-49.jpg' : 'seed-49-300x225.jpg'));
}

function exchangeOf(one: Recorded, numbers: Numbers): Exchange {
  const line = one.request_line.replace(/(regenerate|attachmentinfo)\/(\d+)/, (_, route, id) => {
    return `${route}/${numbers[id] ?? id}`;
  });
  const { request_body: body, as, request_headers: headers = {} } = one;
  const { status, headers: told, json } = one.response;
  return {
    name: one.name,
    request: { line, as, headers, ...(body !== null && { body }) },
    response: { status, headers: told, body: json },
  };
}

eachEngine('Recorded, the regeneration of thumbnails', (engine) => {
  test('every exchange is answered as it was', async () => {
    const site = await shipped(engine, 'b');
    const numbers = await seed(site);
    const { play } = replayOn(site, 'neutral', {
      headers: async ({ request: { as, headers } }) => ({
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        ...(as !== null && (await site.credentials(as === 'admin' ? 'administrator' : as))),
      }),
      word: (placeholder) => placeholder,
      body: () => '',
    });
    const offenders: object[] = [];
    for (const [place, one] of recordings.entries()) {
      deedsBefore(place, site);
      const differs = (await play(exchangeOf(one, numbers))).sort();
      const meant = [...acceptedFor(one)].sort();
      if (JSON.stringify(differs) !== JSON.stringify(meant))
        offenders.push({ name: one.name, line: one.request_line, differs });
    }
    assert.deepEqual(offenders, []);
  });
});
