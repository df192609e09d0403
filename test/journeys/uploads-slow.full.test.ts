// Uploads that come slowly, stand still, or go on after their refusal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';
import { taking } from '#test/taking.ts';
import { speak, written } from '#test/wire.ts';

describeAsync('A file that is uploaded', async () => {
  const site = await aSite(testEngine('sqlite'), {
    extensions: [taking],
    env: { GATEHOUSE_UPLOAD_LIMIT: '500000' },
    limits: { bodyTimeout: 300, requestTimeout: 400, bodiesTogether: 9_000_000 },
  });
  const pieces = async (...lines: string[]): Promise<string> => {
    const { authorization } = await site.credentials('author');
    const head = ['Host: x', `Authorization: ${authorization}`, 'Content-Disposition: attachment; filename=a.jpg'];
    return written('POST /api/taking/v1/files HTTP/1.1', [...head, ...lines]);
  };

  test('may take longer than other bodies do, as long as something comes', async () => {
    const slowly = Array.from({ length: 6 }, () => [{ wait: 120 }, 'a']).flat();
    const heard = await speak(site.port, [await pieces('Content-Length: 6', 'Connection: close'), ...slowly]);
    assert.deepEqual([heard.statuses, heard.body.size], [[200], 6]);
  });

  test('that lies still is given up', async () => {
    const heard = await speak(site.port, [await pieces('Content-Length: 60'), 'aaa']);
    assert.deepEqual([heard.statuses, heard.body.code], [[408], 'rest_request_timeout']);
  });

  test('that is refused is read for a while longer, so that its sender, who still sends, gets the answer', async () => {
    const head = await pieces('Content-Length: 20000000');
    const rest = Array.from({ length: 20 }, () => [Buffer.alloc(1_000_000), { wait: 5 }]).flat();
    const heard = await speak(site.port, [head, ...rest], { deaf: 400 });
    assert.deepEqual([heard.statuses, heard.body?.code], [[413], 'rest_upload_file_too_big']);
  });
});
