import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import {
  close,
  editor,
  host,
  index,
  json,
  lengthOf,
  malformed,
  reading,
  type Storm,
  smuggled,
  speakTo,
  unharmed,
  weather,
  writing,
} from '#test/storms.ts';
import { describeAsync } from '#test/suites.ts';
import { written } from '#test/wire.ts';

/** One request that a proxy and we might see the end of at different places; what follows must never count as another. */
const smuggling: readonly Storm[] = [
  malformed(
    'a length and chunks at once',
    writing(['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`),
  ),
  malformed(
    'chunks and a length at once',
    writing(['Transfer-Encoding: chunked', 'Content-Length: 5'], `0\r\n\r\n${smuggled}`),
  ),
  malformed(
    'chunks said twice',
    writing(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`),
  ),
  malformed(
    'chunks taken back',
    writing(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${smuggled}`),
  ),
  malformed('chunks that are not last', writing(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${smuggled}`)),
  malformed('a coding that only looks like chunks', writing(['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`)),
  malformed(
    'a control character before the coding',
    writing(['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${smuggled}`),
  ),
  malformed('a coding on a folded line', writing(['Transfer-Encoding:', ' chunked'], `0\r\n\r\n${smuggled}`)),
  malformed('a folded line', reading(['X-One: a', ' Transfer-Encoding: chunked'])),
  malformed('a blank before the colon', writing(['Content-Length : 5'], smuggled)),
  malformed('two lengths', writing(['Content-Length: 0', lengthOf(smuggled)], smuggled)),
  malformed('the same length twice', writing(['Content-Length: 0', 'Content-Length: 0'], smuggled)),
  malformed('a list of lengths', writing(['Content-Length: 0, 0'], smuggled)),
  malformed('a length with a sign', writing(['Content-Length: +5'], `aaaaa${smuggled}`)),
  malformed('a negative length', writing(['Content-Length: -1'], smuggled)),
  malformed('a hexadecimal length', writing(['Content-Length: 0x5'], `aaaaa${smuggled}`)),
  malformed('a length beyond all numbers', writing(['Content-Length: 99999999999999999999'], smuggled)),
  malformed('an empty length', writing(['Content-Length: '], smuggled)),
  malformed('lines that end in a bare LF', `${index}\n${host}\n${editor}\n\n${smuggled}`),
  malformed('one line that ends in a bare LF', `${index}\r\n${host}\nX-One: a\r\n\r\n`),
  malformed('a bare CR within a line', `${index}\r\n${host}\rX-One: a\r\n\r\n`),
  malformed('a line without a colon', reading(['nonsense'])),
  malformed('a header without a name', reading([': value'])),
  malformed('a NUL in a header', reading(['X-One: a\0b'])),
  malformed('a chunk of no size', writing(['Transfer-Encoding: chunked'], `zz\r\na\r\n0\r\n\r\n${smuggled}`)),
  malformed('a chunk of negative size', writing(['Transfer-Encoding: chunked'], `-1\r\na\r\n0\r\n\r\n${smuggled}`)),
  malformed(
    'a chunk beyond all numbers',
    writing(['Transfer-Encoding: chunked'], `FFFFFFFFFFFFFFFFFF\r\na\r\n0\r\n\r\n${smuggled}`),
  ),
  malformed('chunks that end in a bare LF', writing(['Transfer-Encoding: chunked'], `1\na\n0\n\n${smuggled}`)),
  malformed('a chunk longer than it says', writing(['Transfer-Encoding: chunked'], `1\r\naaa\r\n0\r\n\r\n${smuggled}`)),
  malformed(
    'an endless chunk extension',
    writing(['Transfer-Encoding: chunked'], `1;${'a'.repeat(20_000)}\r\na\r\n0\r\n\r\n${smuggled}`),
  ),
  malformed(
    'a length among the trailers',
    writing(['Transfer-Encoding: chunked'], `2\r\n{}\r\n0\r\n${lengthOf(smuggled)}\r\n\r\n${smuggled}`),
  ),
  {
    name: 'a coding before the chunks',
    send: [writing(['Transfer-Encoding: gzip, chunked', close], '2\r\n{}\r\n0\r\n\r\n')],
    statuses: [415],
    code: 'rest_unsupported_encoding',
  },
  {
    name: 'a request behind a refused body',
    send: [writing(['Content-Length: 20000000']), smuggled],
    statuses: [413],
    code: 'rest_body_too_large',
  },
  {
    name: 'a request inside a body nobody reads',
    send: [written('POST /api/nowhere HTTP/1.1', [host, json, lengthOf(smuggled), close], smuggled)],
    statuses: [404],
    code: 'rest_no_route',
  },
  {
    name: 'a request inside the body of a read that may be kept',
    send: [written(index, [host, lengthOf(smuggled), close], smuggled)],
    statuses: [200],
  },
];

describeAsync('A request hidden in another is never run', async () => {
  const site = await aSite(testEngine('sqlite'));
  unharmed(site);
  weather(site, smuggling);

  test('a request is answered for itself, whatever follows on its connection', async () => {
    const heard = await speakTo(site, [writing([lengthOf('{"text":7}')], '{"text":7}'), 'GARBAGE\r\n\r\n']);
    assert.deepEqual(heard.statuses, [400]);
    assert.equal(heard.body.code, 'rest_invalid_param');
    assert.ok(heard.closed);
  });
});
