// Files as they were recorded, replayed.
import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { TestSite } from '#test/site.ts';
import { type Accepted, type Exchange, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

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

/** The post that files are attached to: the first there is. */
const post = 1;

async function seed(site: TestSite): Promise<void> {
  const said = { title: 'Post 22', status: 'publish', date: '2025-01-10T09:00:00' };
  const { body } = await site.as('administrator').post('/api/core/v2/posts', said);
  assert.equal(body.id, post);
}

async function bodies(): Promise<(exchange: Exchange) => string | Uint8Array> {
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
function attached(exchange: Exchange): Exchange {
  const { body } = exchange.request;
  if (typeof body !== 'object' || body === null || !('post' in body)) return exchange;
  return { ...exchange, request: { ...exchange.request, body: { ...body, post } } };
}

/** Placeholders of pictures and what the image optimizer saved are ours alone. */
function recordedFields(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(recordedFields);
  if (typeof body !== 'object' || body === null) return body;
  const { placeholder: _, dominant_color: __, imgopt: ___, ...fields } = body as Record<string, unknown>;
  return 'previous' in fields ? { ...fields, previous: recordedFields(fields.previous) } : fields;
}

replayed({
  topic: 'media',
  exchanges: recorded('media').map(attached),
  accepted,
  seed,
  filling: async () => {
    const bodyOf = await bodies();
    return { body: (_, exchange) => bodyOf(exchange), comparable: recordedFields };
  },
});
