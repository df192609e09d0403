// Files as they were recorded, replayed on both faces and both stores.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import type { Face } from '#kernel/faces.ts';
import { eachEngine } from '#test/databases.ts';
import type { TestSite } from '#test/site.ts';
import { shipped } from './checker.ts';
import { type Accepted, type Exchange, type Filling, recorded, replayOn } from './recorded.ts';

const exchanges = recorded('media');

const refused = { why: 'Decision (1.6): what a caller did wrong is no 500' };

/** Where the answers differ from those recorded, and why. */
const accepted: readonly Accepted[] = [
  { exchange: 'upload php', differs: ['status: 400 instead of 500'], ...refused },
  { exchange: 'upload php named jpg', differs: ['status: 400 instead of 500'], ...refused },
  { exchange: 'upload svg', differs: ['status: 400 instead of 500'], ...refused },
];

const boundary = 'XXBOUNDARY';
const part = (name: string, value: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const formed = (file: Buffer, fields: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat([
    Buffer.from(
      Object.entries(fields)
        .map(([name, value]) => part(name, value))
        .join(''),
    ),
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="multi.jpg"\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);

const picture = (format: 'jpeg' | 'png', width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3366aa' } })
    .toFormat(format)
    .toBuffer();

/** The post that files are attached to, by its number here. */
async function postOf(site: TestSite): Promise<number> {
  const said = { title: 'Post 22', status: 'publish', date: '2025-01-10T09:00:00' };
  return (await site.as('administrator').post('/api/core/v2/posts', said)).body.id;
}

async function bodiesOf(post: number): Promise<(exchange: Exchange) => string | Uint8Array> {
  const [jpeg, png] = await Promise.all([picture('jpeg', 400, 300), picture('png', 1, 1)]);
  const about = { title: 'Multi title', alt_text: 'alt', caption: 'cap', description: 'desc', post: String(post) };
  const own: Readonly<Record<string, string | Uint8Array>> = {
    'upload multipart': formed(jpeg, about),
    'upload with invalid parent': formed(jpeg, { post: '999999' }),
    'upload empty': '',
    'upload php': '<?php echo 1;',
    'upload php named jpg': '<?php echo 1;',
    'upload svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'upload png content with jpg name': png,
    'upload txt': 'hello',
  };
  return ({ name }) => own[name] ?? jpeg;
}

/** Posts have other numbers here than where it was recorded. */
function attachedTo(post: number, exchange: Exchange): Exchange {
  const { body } = exchange.request;
  if (typeof body !== 'object' || body === null || !('post' in body)) return exchange;
  return { ...exchange, request: { ...exchange.request, body: { ...body, post } } };
}

/** What stands for a picture until it is there is ours alone. */
function recordedFields(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(recordedFields);
  if (typeof body !== 'object' || body === null) return body;
  const { placeholder: _, dominant_color: __, ...fields } = body as Record<string, unknown>;
  return 'previous' in fields ? { ...fields, previous: recordedFields(fields.previous) } : fields;
}

async function fillingOf(site: TestSite, post: number, now: () => Exchange): Promise<Filling> {
  const bodyOf = await bodiesOf(post);
  return {
    headers: async ({ request: { as, headers } }) => ({
      ...Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value])),
      ...(as !== null && (await site.credentials(as === 'admin' ? 'administrator' : as))),
    }),
    word: (placeholder) => placeholder,
    body: () => bodyOf(now()),
    comparable: recordedFields,
  };
}

const acceptedFor = ({ name }: Exchange): readonly string[] =>
  accepted.flatMap(({ exchange, differs }) => (exchange === name ? differs : []));

for (const face of ['neutral', 'classic'] satisfies Face[]) {
  eachEngine(`Recorded, media, on the ${face} face`, async (engine) => {
    const site = await shipped(engine, 'b');
    let current = exchanges[0]!;
    const post = await postOf(site);
    const { play } = replayOn(site, face, await fillingOf(site, post, () => current));
    for (const exchange of exchanges) {
      test(exchange.name, async () => {
        current = exchange;
        assert.deepEqual((await play(attachedTo(post, exchange))).sort(), [...acceptedFor(exchange)].sort());
      });
    }
  });
}

describe('The accepted differences', () => {
  for (const { exchange } of accepted)
    test(`${exchange} was recorded`, () => assert.ok(exchanges.some(({ name }) => name === exchange)));
});
