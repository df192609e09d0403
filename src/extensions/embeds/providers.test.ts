import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { providerOf, providers } from './providers.ts';

const known: [url: string, endpoint: string][] = [
  ['https://www.youtube.com/watch?v=1', 'https://www.youtube.com/oembed'],
  ['http://youtube.com/shorts/1', 'https://www.youtube.com/oembed'],
  ['https://M.YouTube.com/live/1', 'https://www.youtube.com/oembed'],
  ['https://youtu.be/1', 'https://www.youtube.com/oembed'],
  ['https://vimeo.com/1', 'https://vimeo.com/api/oembed.json'],
  ['https://x.com/a/status/1', 'https://publish.twitter.com/oembed'],
  ['https://www.tiktok.com/@a/video/1?b', 'https://www.tiktok.com/oembed'],
  ['https://www.canva.com/design/a/view?b', 'https://canva.com/_oembed'],
];

const unknown = [
  'https://evil.example/?youtube.com/watch',
  'https://youtube.com.evil.example/watch?v=1',
  'https://evilyoutube.com/watch?v=1',
  'https://evil.example/youtube.com/watch',
  'https://www.youtube.com:8443/watch?v=1',
  'https://www.youtube.com@evil.example/watch?v=1',
  'https://www.youtube.com/channel/1',
  'https://sub.x.com/a/status/1',
  'https://x.com/a?/status/1',
  'https://www.ted.com/speakers/1',
];

describe('Sites that are known', () => {
  test('is found by its URL', () =>
    checkRows(known, ([url, endpoint]) => assert.equal(providerOf(providers, new URL(url))?.endpoint, endpoint)));
});

describe('Sites that are not', () => {
  test('is not found by other URLs', () =>
    checkRows(unknown, (url) => assert.equal(providerOf(providers, new URL(url)), undefined)));
});

test('one whose endpoint is no address is passed over', () =>
  assert.equal(providerOf([{ match: ['x.test/*'], endpoint: '' }], new URL('https://x.test/')), undefined));
