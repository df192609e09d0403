// Forms that never end, wherever in them it goes on and on: no more is read than a form may have, and nothing is left.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { left, media, nothing } from '#test/uploads.ts';

const mega = 2 ** 20;
const head = (name: string, file?: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n`;
const hello = `${head('file', 'a.txt')}hello\r\n`;

const endless: readonly (readonly [where: string, beginning: string])[] = [
  ['before the first part', 'x'],
  ['in the file', head('file', 'a.txt')],
  ['in another file', `${head('other', 'b.txt')}hello\r\n${head('file', 'a.txt')}`],
  ['in a file that nobody wants', hello + head('other', 'b.txt')],
  ['in a file of no name', `${hello}--b\r\nContent-Disposition: form-data; name="other"\r\nContent-Type: x/y\r\n\r\n`],
  ['in a word', hello + head('title')],
  ['in a part without a name', `${hello}--b\r\n\r\n`],
  ['behind the last part', `${hello}--b--\r\n`],
];

eachEngine('A form without end', async (engine) => {
  const site = await aSite(engine, { env: { GATEHOUSE_UPLOAD_LIMIT: String(mega) } });
  const headers = { ...(await site.credentials('author')), 'content-type': 'multipart/form-data; boundary=b' };

  for (const [where, beginning] of endless)
    test(`that goes on ${where} is refused in time, and nothing is left`, { timeout: 30_000 }, async () => {
      const sending = request(`${site.origin}${media}`, { method: 'POST', headers });
      const answered = once(sending, 'response');
      sending.on('error', () => {}); // once it is answered, the rest is heard by nobody
      const ended = answered.then(() => true);
      const piece = Buffer.alloc(mega / 4, 'x');
      let sent = 0;
      sending.write(beginning);
      for (let isOver = false; !isOver && sent < 64 * mega; sent += piece.length) {
        const goesOn = sending.write(piece) ? new Promise(setImmediate) : once(sending, 'drain');
        isOver = (await Promise.race([ended, goesOn])) === true;
      }
      // What may stand beside the file, and what was on its way.
      assert.ok(sent < 32 * mega, `${sent} bytes were taken`);
      const [response]: IncomingMessage[] = await answered;
      assert.equal(response!.statusCode, 413);
      response!.resume();
      sending.destroy();
      for (let tries = 0; tries < 100 && (await left(site)).aside.length > 0; tries++) await site.get('/healthz');
      assert.deepEqual(await left(site), nothing);
    });
});
