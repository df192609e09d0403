import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { refusedConfig } from '#test/refused-config.ts';
import { checkRows } from '#test/rows.ts';
import { readConfig } from '../config.ts';

describe('Where files are kept', () => {
  const env = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'opens it' };
  const mediaOf = (media: string) => readConfig({ flags: { media }, env }).media;

  test('is a folder, or a bucket with the store it is in', () => {
    assert.deepEqual(mediaOf('/srv/media'), { kind: 'folder', path: '/srv/media' });
    assert.deepEqual(mediaOf('s3://pictures/site/a?endpoint=http://127.0.0.1:9000/&region=eu-1'), {
      kind: 's3',
      bucket: 'pictures',
      prefix: 'site/a',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-1',
    });
    assert.deepEqual(mediaOf('s3://pictures'), {
      kind: 's3',
      bucket: 'pictures',
      prefix: '',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      region: 'us-east-1',
    });
  });

  const wrong = [
    's3://',
    's3://Up',
    's3://a:b@pictures',
    's3://pictures/a%2F..',
    's3://pictures?key=1',
    's3://pictures?endpoint=ftp://x',
    's4://pictures',
    'S3X://pictures',
    'file:///srv/media',
    'https://s3.example.org/pictures',
  ];
  test('is not a word or address of another kind', () =>
    checkRows(wrong, (media) => assert.match(refusedConfig({ flags: { media }, env }), /^--media must be an? /)));

  test('says what a bucket may be called', () => {
    const sentence = refusedConfig({ flags: { media: 's3://b/p' }, env });
    assert.match(
      sentence,
      /with 3 to 63 lowercase letters, digits, dots or hyphens in the name of the bucket, not "s3:\/\/b\/p"\.$/,
    );
  });

  test('is under a prefix that leaves room for every path', () => {
    const prefix = 'p/'.repeat(30).slice(0, -1);
    assert.partialDeepStrictEqual(mediaOf(`s3://pictures/${prefix}x/`), { prefix: `${prefix}x` });
    assert.match(
      refusedConfig({ flags: { media: `s3://pictures/${prefix}xy` }, env }),
      /^--media must be a URL whose prefix has at most 60 characters, not /,
    );
  });

  test('needs the keys of the bucket', () => {
    assert.match(
      refusedConfig({ flags: { media: 's3://pictures' } }),
      /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set/,
    );
  });

  test('is never the data folder, nor a folder around it: visitors would read the secret', () => {
    const root = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
    after(() => rmSync(root, { recursive: true }));
    const data = join(root, 'data');
    const link = join(root, 'link');
    symlinkSync(root, link);
    for (const media of [data, root, '/', `${data}/../data`, link, join(link, 'data')])
      assert.match(
        refusedConfig({ flags: { data, media } }),
        /must be a folder that does not contain the data folder/,
        media,
      );
    for (const media of [join(data, 'media'), join(root, 'media'), join(root, 'data2')])
      assert.equal(readConfig({ flags: { data, media } }).media.kind, 'folder', media);
  });
});
