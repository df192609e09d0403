import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { testRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { close, reading } from '#test/storms.ts';
import { describeAsync } from '#test/suites.ts';
import { speak, written } from '#test/wire.ts';

describeAsync('What a hostile client would like to read back', async () => {
  const site = await aSite(testEngine('sqlite'));

  const hosts = ['evil.test', 'evil.test"><script>', 'site.test@evil.test', 'site.test:99999', '[::1', ''];
  testRows('no Host is in an answer', hosts, async (name) => {
    for (const path of [
      '/',
      '/api/',
      '/wp-json/hello/v1',
      '/api/hello/v1/greetings?page=2',
      '/nowhere',
      '/api/nowhere',
    ]) {
      const forwarded = ['X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: gopher', 'Forwarded: host=evil.test'];
      const heard = await speak(site.port, [written(`GET ${path} HTTP/1.1`, [`Host: ${name}`, ...forwarded, close])]);
      assert.equal(heard.statuses.length, 1);
      assert.doesNotMatch(heard.text, /evil|gopher|99999/);
    }
  });

  testRows(
    'no such Origin is answered by name',
    ['null', 'http://a b', 'javascript:alert(1)', 'http://x/y', 'file://', 'http://', 'HTTP'],
    async (origin) => {
      const heard = await speak(site.port, [reading([`Origin: ${origin}`])]);
      assert.deepEqual(heard.statuses, [200]);
      assert.doesNotMatch(heard.text, /Access-Control-Allow-(?:Origin|Credentials)/i);
    },
  );

  test('line ends in an address come back encoded, in no header of their own', async () => {
    const poison = '%0d%0aX-Poison:%20yes';
    await site.as('editor').post('/api/hello/v1/greetings', { text: 'one' });
    await site.as('editor').post('/api/hello/v1/greetings', { text: 'two' });
    const paths = [
      `/api/hello/v1/greetings?per_page=1&_fields=id${poison}`,
      `/api/hello/v1/greetings?per_page=1&_locale=${poison}`,
      `/api/hello/v1/greetings?per_page=1&_embed[${poison}]=${poison}`,
      `/api/hello/v1/greetings/${poison}`,
      `/?rest_route=/hello/v1/greetings${poison}`,
      `/wp-json/${poison}?_envelope`,
      `/${poison}`,
    ];
    for (const path of paths) {
      const heard = await speak(site.port, [reading([`Origin: http://${poison}`], `GET ${path} HTTP/1.1`)]);
      assert.equal(heard.statuses.length, 1);
      assert.doesNotMatch(heard.text, /^X-Poison/im);
    }
  });

  test('line ends in what is stored come back in no header', async () => {
    const { headers, body } = await site
      .as('editor')
      .post('/api/hello/v1/greetings', { text: 'a\r\nX-Poison: yes', note: '\r\n\r\n<script>' });
    assert.equal(headers.get('x-poison'), null);
    assert.equal(body.text, 'a\r\nX-Poison: yes');
  });
});
