import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Gathered, Gathering } from './frames.ts';

describe('What is gathered of an export file', () => {
  const mebibyte = `${'a river, and a boat on it'.padEnd(2 ** 10 - 1)}\n`.repeat(2 ** 10);
  const item = (title: string, text: string) =>
    `<item><title>${title}</title><content:encoded><![CDATA[${text}]]></content:encoded></item>\n`;

  function gathered(pieces: Iterable<string>): string[] {
    const gathering = new Gathering();
    const told = (one: Gathered): string[] => {
      if (one.kind === 'broken') return [`${one.title}: ${one.code}, line ${one.line}`];
      return one.kind === 'thing' ? [`${one.thing.texts.title}, line ${one.thing.line}`] : [];
    };
    const all: string[] = [];
    for (const piece of pieces) for (const one of gathering.feed(piece)) all.push(...told(one));
    for (const one of gathering.end()) all.push(...told(one));
    return all;
  }

  test('is never longer than a text may be, however long it goes on: no text of a program could hold it', () => {
    const [begin, end] = item('Endless', '|').split('|') as [string, string];
    const mebibytes = 2 ** 9 + 1;
    function* file() {
      yield `<rss><channel>\n${item('First', 'short')}${begin}`;
      for (let more = mebibytes; more > 0; more--) yield mebibyte;
      yield `${end}${item('Last', 'short')}</channel></rss>`;
    }
    const lines = mebibytes * 2 ** 10;
    assert.deepEqual(gathered(file()), [
      'First, line 2',
      `Endless: text_too_long, line ${2 + 8 * 2 ** 10}`,
      `Last, line ${4 + lines}`,
    ]);
  });
});
