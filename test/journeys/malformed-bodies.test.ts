import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import {
  editor,
  form,
  host,
  json,
  latin1,
  multipart,
  parts,
  post,
  refused,
  type Storm,
  sent,
  speakTo,
  unharmed,
  weather,
  writing,
} from '#test/storms.ts';
import { describeAsync } from '#test/suites.ts';
import { written } from '#test/wire.ts';

const bodies: readonly Storm[] = [
  refused('JSON 100,000 levels deep', sent(json, `${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'rest_invalid_json'),
  refused('objects 100,000 levels deep', sent(json, '{"a":'.repeat(100_000)), 'rest_invalid_json'),
  refused('JSON cut short', sent(json, '{"text":"hel'), 'rest_invalid_json'),
  refused('JSON that is not UTF-8', sent(json, latin1('{"text":"\xff"}')), 'rest_invalid_json'),
  refused(
    'JSON in UTF-16',
    sent(`${json}; charset=utf-16`, Buffer.from('{"text":"x"}', 'utf16le')),
    'rest_invalid_json',
  ),
  refused('a list for a body', sent(json, '[{"text":"x"}]'), 'rest_missing_callback_param'),
  refused('only a prototype', sent(json, '{"__proto__":{"text":"x"}}'), 'rest_missing_callback_param'),
  refused(
    'a constructor for a text',
    sent(json, '{"constructor":{"prototype":{"text":"x"}},"text":{"toString":"x"}}'),
    'rest_invalid_param',
  ),
  refused('a form with a prototype', sent(form, '__proto__[text]=x&__proto__=x'), 'rest_missing_callback_param'),
  refused('a form nested without end', sent(form, `text${'[a]'.repeat(10_000)}=x`), 'rest_invalid_param'),
  refused('a form of 10,000 names', sent(form, 'a=1&'.repeat(10_000)), 'rest_invalid_param'),
  refused(
    'a body in an unknown media type',
    sent('Content-Type: text/plain', '{"text":"x"}'),
    'rest_missing_callback_param',
  ),
  refused('a media type that is none', sent('Content-Type: ;;;/', '{"text":"x"}'), 'rest_missing_callback_param'),
  refused(
    'two media types',
    sent('Content-Type: application/json, text/plain', '{"text":"x"}'),
    'rest_missing_callback_param',
  ),
  refused(
    'a packed body',
    sent(json, gzipSync('{"text":"x"}'), 'Content-Encoding: gzip'),
    'rest_unsupported_encoding',
    415,
  ),
  refused(
    'a packed body cut short',
    sent(json, gzipSync('{"text":"x"}').subarray(0, 12), 'Content-Encoding: gzip'),
    'rest_unsupported_encoding',
    415,
  ),
  refused(
    'packing said twice',
    sent(json, '{"text":"x"}', 'Content-Encoding: gzip, gzip'),
    'rest_unsupported_encoding',
    415,
  ),
  refused('a body larger than any', [writing(['Content-Length: 9000000'])], 'rest_body_too_large', 413),
  refused(
    'a body that never ends',
    [
      writing(['Transfer-Encoding: chunked']),
      ...Array.from({ length: 10 }, () => `100000\r\n${'a'.repeat(0x100000)}\r\n`),
    ],
    'rest_body_too_large',
    413,
  ),
  refused('parts without a boundary', sent('Content-Type: multipart/form-data', 'text=x'), 'rest_body_incomplete'),
  refused(
    'parts with an empty boundary',
    sent('Content-Type: multipart/form-data; boundary=', 'x'),
    'rest_body_incomplete',
  ),
  refused('parts that are none', sent(multipart, 'text=x'), 'rest_body_incomplete'),
  refused(
    'parts cut short',
    sent(multipart, '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nx'),
    'rest_body_incomplete',
  ),
  refused(
    'a part whose header never ends',
    sent(multipart, `--b\r\n${'X-One: a\r\n'.repeat(50_000)}`),
    'rest_body_incomplete',
  ),
  refused('no parts at all', sent(multipart, '--b--\r\n'), 'rest_missing_callback_param'),
  refused('parts without names', sent(multipart, '--b\r\n\r\nx\r\n--b--\r\n'), 'rest_missing_callback_param'),
  refused(
    '10,000 parts',
    sent(
      multipart,
      parts(10_000, (at) => `a${at}`),
    ),
    'rest_invalid_param',
  ),
  refused(
    'parts that name a prototype',
    sent(
      multipart,
      parts(3, () => '__proto__[text]'),
    ),
    'rest_missing_callback_param',
  ),
  refused(
    'a part of 7 MB',
    sent(
      multipart,
      parts(1, () => 'text', 'a'.repeat(7_000_000)),
    ),
    'rest_invalid_param',
  ),
  refused(
    'a part larger than any body',
    sent(
      multipart,
      parts(1, () => 'text', 'a'.repeat(9_000_000)),
    ),
    'rest_body_too_large',
    413,
  ),
];

describeAsync('A body that is none', async () => {
  const site = await aSite(testEngine('sqlite'));
  unharmed(site);
  weather(site, bodies);

  test('a body cut short by the client stores nothing', async () => {
    await speakTo(site, [writing(['Content-Length: 100'], '{"text":"half')], { hangUp: true });
    await speakTo(site, [writing(['Content-Length: 100'], '{"text":"half')], { cut: true });
    await speakTo(site, [writing(['Transfer-Encoding: chunked'], '13\r\n{"text":"x"}')], { cut: true });
    await speakTo(site, [written(post, [host, editor, multipart, 'Content-Length: 900']), '--b\r\nContent-Dis'], {
      cut: true,
    });
  });

  test('one hundred clients that leave in the middle of their request are forgotten', async () => {
    const leaving = Array.from({ length: 100 }, (_, at) => {
      const whole = writing(['Content-Length: 100'], '{"text":"half');
      return speakTo(site, [whole.slice(0, 1 + at * 2)], { cut: true });
    });
    await Promise.all(leaving);
  });
});
