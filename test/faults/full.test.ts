import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsRoot } from '#test/needs.ts';
import { onSmallDisk } from '#test/small-disk.ts';
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
    assert.match(body.message, /^There is no room left/);
    const read = await fetch(`${greetings}?per_page=1`);
    assert.equal(read.status, 200);
    assert.equal(read.headers.get('x-wp-total'), String(taken));
    rmSync(join(data, 'ballast'));
    assert.equal((await post()).status, 201);
    assert.equal((await fetch(`${greetings}?per_page=1`)).headers.get('x-wp-total'), String(taken + 1));
    await site.kill();
  }),
);
