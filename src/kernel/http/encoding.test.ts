import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedEncoding, compress, corsHeaders, crossOrigin, isCompressible } from './compose.ts';

test('the best compression that the client takes is chosen', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['br;q=1.0, gzip;q=0.8', 'br'],
    ['GZip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.0', 'identity'],
    ['gzip;q=0.01', 'gzip'],
    ['br ; q=0 , gzip', 'gzip'],
    ['abr, xgzip', 'identity'],
    ['deflate, zstd', 'identity'],
  ];
  for (const [header, wanted] of cases) assert.equal(acceptedEncoding(header), wanted, `${header}`);
});

test('identity leaves the bytes alone, and short bodies are not worth it', async () => {
  const bytes = Buffer.from('x');
  assert.equal(await compress(bytes, 'identity'), bytes);
  assert.deepEqual([isCompressible(1023), isCompressible(1024)], [false, true]);
});

test('origins of web pages are answered, and nothing else is', () => {
  for (const origin of ['http://a.test', 'https://a.test:8443', 'HTTP://a.test', 'http://[::1]:80']) {
    assert.equal(corsHeaders(origin)?.['Access-Control-Allow-Origin'], origin);
  }
  for (const origin of [undefined, '', 'null', '*', 'file://', 'http://', 'http://a.test/x', 'http://a b', 'ws://a']) {
    assert.equal(corsHeaders(origin), undefined, `${origin}`);
  }
});

test('an answer that says itself who may read it is left at that, and so is a page', () => {
  assert.equal(crossOrigin('http://a.test', { head: ['Vary', 'Origin'] })[1], 'http://a.test');
  assert.deepEqual(crossOrigin('http://a.test', { head: ['Access-Control-Allow-Origin', '*'] }), []);
  assert.deepEqual(crossOrigin('http://a.test', { head: ['Vary', 'Cookie'], isPage: true }), []);
  assert.deepEqual(crossOrigin('null', { head: ['Vary', 'Origin'] }), []);
});
