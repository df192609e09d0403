import assert from 'node:assert/strict';
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { needsRoot } from '#test/needs.ts';
import { aSite } from '#test/site.ts';
import { onSmallDisk } from '#test/small-disk.ts';
import { disposition, media } from '#test/uploads.ts';
import { SiteProcess } from './site-process.ts';

needsRoot('a full disk is a clear 507: reads go on, and writing resumes when there is room', () =>
  onSmallDisk(async (data) => {
    writeFileSync(join(data, 'ballast'), Buffer.alloc(2_000_000));
    const site = await SiteProcess.start({ data });
    const greetings = `${site.origin}/api/hello/v1/greetings`;
    const { headers } = site;
    const post = () =>
      fetch(greetings, {
        method: 'POST',
        headers,
        body: JSON.stringify({ text: 'x'.repeat(200), note: 'y'.repeat(50_000) }),
      });
    let taken = 0;
    let answer = await post();
    for (; answer.status === 201 && taken < 500; answer = await post()) taken += 1;
    assert.equal(answer.status, 507);
    const body = (await answer.json()) as { code: string; message: string };
    assert.equal(body.code, 'storage_full');
    assert.match(body.message, /^The disk or storage of the site is full/);
    const read = await fetch(`${greetings}?per_page=1`);
    assert.equal(read.status, 200);
    assert.equal(read.headers.get('x-wp-total'), String(taken));
    rmSync(join(data, 'ballast'));
    assert.equal((await post()).status, 201);
    assert.equal((await fetch(`${greetings}?per_page=1`)).headers.get('x-wp-total'), String(taken + 1));
    await site.kill();
  }),
);

type Sent = [body: File | FormData, headers: Record<string, string>];

/** The same file as the body itself and in a form. */
const uploads = (bytes: Buffer): Sent[] => {
  const file = new File([new Uint8Array(bytes)], 'long.txt', { type: 'text/plain' });
  const form = new FormData();
  form.set('file', file);
  return [
    [file, { 'content-type': 'text/plain', 'content-disposition': disposition('long.txt') }],
    [form, {}],
  ];
};

describe('Uploads to a full disk', () => {
  const engine = testEngine('sqlite');

  needsRoot('are a clear 507, as a body and in a form, and leave nothing behind', () =>
    onSmallDisk(async (folder) => {
      const site = await aSite(engine);
      symlinkSync(folder, join(site.config.data, 'arriving'));
      const { authorization = '' } = await site.credentials('author');
      const send = async ([body, headers]: Sent) => {
        const init = { method: 'POST', headers: { ...headers, authorization }, body };
        const answer = await fetch(`${site.origin}${media}`, init);
        return { status: answer.status, code: ((await answer.json()) as { code?: string }).code };
      };
      for (const sent of uploads(Buffer.alloc(6_000_000, 'text '))) {
        assert.deepEqual(await send(sent), { status: 507, code: 'storage_full' });
        assert.deepEqual(readdirSync(folder), []);
      }
      for (const sent of uploads(Buffer.from('A short text.'))) assert.equal((await send(sent)).status, 201);
    }),
  );
});
