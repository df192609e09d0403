// A file of 500 MB is taken as the body itself and as a part of a form, in a process whose memory stays flat all the while.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { describe } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { needs } from '#test/needs.ts';
import { basicOf } from '#test/people.ts';
import { aSitePlace, type Serving } from '#test/serving.ts';
import { disposition, media } from '#test/uploads.ts';

const megabyte = 2 ** 20;
const size = 500 * megabyte;
/** Far less than the file, and more than whatever else goes on. */
const most = 96 * megabyte;

/** An archive for all that is seen of it. */
const first = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(megabyte - 4)]);
const piece = Buffer.alloc(megabyte, 'abcdefg');
const file = function* (): Generator<Buffer> {
  for (let sent = 0; sent < size; sent += megabyte) yield sent === 0 ? first : piece;
};

interface Sent {
  readonly headers: Record<string, string>;
  readonly before?: string;
  readonly after?: string;
}

async function upload({ origin }: Serving, { headers, before = '', after = '' }: Sent) {
  const length = String(before.length + size + after.length);
  const asking = request(`${origin}${media}`, { method: 'POST', headers: { ...headers, 'content-length': length } });
  const answered = once(asking, 'response');
  asking.write(before);
  for (const part of file()) if (!asking.write(part)) await once(asking, 'drain');
  asking.end(after);
  const [response] = await answered;
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode as number, body: JSON.parse(text) };
}

/** The most a process ever had in memory since this was asked last, in bytes. */
function peak({ child: { pid } }: Serving): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

describe('A file of 500 MB', () => {
  const engine = testEngine('sqlite');

  needs(
    process.platform === 'linux',
    'Linux',
    'takes no memory, in a form or not, and is served as it came',
    async () => {
      const place = await aSitePlace(engine);
      const site = await place.serve({ GATEHOUSE_UPLOAD_LIMIT: String(size) });
      const { out } = await place.run('app-password', 'create', 'admin', '--name', 'test');
      const headers = { authorization: basicOf('admin', out.trim()) };
      const small = await fetch(`${site.origin}${media}`, {
        method: 'POST',
        headers: { ...headers, 'content-disposition': disposition('small.txt') },
        body: 'hello',
      });
      assert.equal(small.status, 201);
      const before = peak(site);
      const form = {
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
        before: '--b\r\nContent-Disposition: form-data; name="file"; filename="b.zip"\r\n\r\n',
        after: '\r\n--b--\r\n',
      };
      const alone = { headers: { ...headers, 'content-disposition': disposition('a.zip') } };
      for (const sent of [alone, form]) {
        const { status, body } = await upload(site, sent);
        assert.deepEqual([status, body.filesize], [201, size]);
        const served = await fetch(body.source_url.replace(/^https?:\/\/[^/]+/, site.origin));
        let bytes = 0;
        for await (const chunk of served.body!) bytes += chunk.length;
        assert.equal(bytes, size);
        const erased = await fetch(`${site.origin}${media}/${body.id}?force=true`, { method: 'DELETE', headers });
        assert.equal(erased.status, 200);
      }
      const grown = peak(site) - before;
      assert.ok(grown < most, `it grew by ${Math.round(grown / megabyte)} MB`);
    },
  );
});
