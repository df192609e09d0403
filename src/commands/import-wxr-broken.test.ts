import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPlace } from '#test/moved.ts';
import { comment, exportOf, head, item, term } from '#test/wxr.ts';

eachEngine('The command import wxr', (engine) => {
  test('takes what is whole of a file that is broken, and says by line and element what is not', async () => {
    const whole = (title: string) => item({ title });
    const cases: [text: string | Buffer, made: number, codes: string[]][] = [
      [exportOf(whole('A'), '<item><title>B</title><wp:post_type>post</item>', whole('C')), 2, ['malformed']],
      [exportOf(whole('A'), '<item><title>B</title>', whole('C')), 2, ['malformed']],
      [`${head}${whole('A')}\n<item><title>B</title><content:encoded><![CDATA[cut`, 1, ['truncated']],
      [
        exportOf(
          whole('A'),
          `<item><title>B</title><content:encoded>${'x'.repeat(8 * 2 ** 20 + 1)}</content:encoded></item>`,
          whole('C'),
        ),
        2,
        ['text_too_long'],
      ],
      [
        exportOf(
          item({ title: 'Year 0', 'wp:post_date': '0000-00-00 00:00:00', 'wp:post_date_gmt': '0000-00-00 00:00:00' }),
          whole('B'),
        ),
        1,
        ['invalid_date'],
      ],
      [
        exportOf(item({ title: 'Large', 'content:encoded': 'x'.repeat(5 * 2 ** 20) }), whole('B')),
        1,
        ['rest_content_too_large'],
      ],
      [
        exportOf(
          item({ title: 'Cycle', 'wp:post_type': 'page', 'wp:post_id': 5, 'wp:post_parent': 6 }),
          item({ title: 'Cycle 2', 'wp:post_type': 'page', 'wp:post_id': 6, 'wp:post_parent': 5 }),
        ),
        2,
        ['cycle'],
      ],
      [
        exportOf(
          item({ title: 'Twice', 'wp:post_id': 5 }),
          item({ title: 'Twice', 'wp:post_id': 5 }),
          item({ title: 'No number', 'wp:post_id': 'x' }),
        ),
        2,
        [],
      ],
      [
        Buffer.concat([
          Buffer.from(`${head}<item><title>Bad `),
          Buffer.from([0xff, 0xfe, 0x00]),
          Buffer.from(`</title>${'<wp:post_date>2020-01-01 00:00:00</wp:post_date>'}</item></channel></rss>`),
        ]),
        1,
        [],
      ],
      [exportOf(term('a', 'b'), term('b', 'a'), whole('A')), 1, ['cycle']],
      [exportOf(whole('A'), 'x'.repeat(8 * 2 ** 20 + 1), whole('B')), 2, ['text_too_long']],
      [exportOf(whole('A'), `<${'a'.repeat(9 * 2 ** 20)}>`, whole('B')), 2, ['malformed', 'text_too_long']],
      [exportOf(whole('A'), '<item>'.repeat(50), whole('B')), 2, Array(50).fill('malformed')],
      [
        exportOf(item({ title: 'A', 'wp:post_type': '__proto__' }), item({ title: 'B', 'wp:post_type': 'shoe' })),
        0,
        [],
      ],
      [
        exportOf(
          `<item><title>${'&lol;'.repeat(10_000)}</title><wp:post_date>2020-01-01 00:00:00</wp:post_date></item>`,
        ),
        1,
        [],
      ],
      [exportOf(item({ title: 'Highest', 'wp:post_id': 2 ** 31 - 1 }), item({ title: 'Next' })), 2, []],
      [
        exportOf(
          whole('A &undefined; & <'),
          item({ title: 'B' }, comment(1, { content: '' }), comment(2, { date: 'never', date_gmt: '' })),
        ),
        2,
        ['rest_comment_content_invalid', 'invalid_date'],
      ],
    ];
    const { arrive, file, rows } = await aPlace(engine);
    for (const [at, [text, made, codes]] of cases.entries()) {
      // Of another year each, so that nothing is here already.
      const own = typeof text === 'string' ? text.replaceAll('2020-', `${2_001 + at}-`) : text;
      const { code, told, err } = await arrive(file(own));
      const about = `${own.slice(0, 600).toString().slice(-200)}${err}`;
      assert.deepEqual(
        told?.errors.map((one) => one.code),
        codes,
        about,
      );
      assert.ok(told?.errors.every(({ line }) => line === undefined || line > 0));
      assert.equal(code, codes.length > 0 ? 1 : 0, about);
      const items = Object.values(told?.items ?? {});
      assert.equal(
        items.reduce((sum, { created }) => sum + created, 0),
        made,
        about,
      );
    }
    const ids = (await rows('posts')).map(({ id }) => Number(id));
    assert.ok(Math.max(...ids) < 2_000_000_000, 'what comes later still has a number that programs can count to');
  });

  test('refuses what is no export file at all, and reads no more of it than it must', async () => {
    const { run, file, everything } = await aPlace(engine);
    const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "&a;&a;&a;">]><rss><channel>&b;</channel></rss>`;
    const before = await everything();
    for (const [text, said] of [
      ['{"a":1}', /not a WXR export file/],
      ['', /not a WXR export file/],
      ['<rss><channel><item></item></channel></rss>', /not a WXR export file/],
      [bomb, /Line 1 holds a document type/],
      [exportOf().replace('1.2/">', '9.9/">'), /not a WXR export file/],
    ] as const) {
      const { code, err, out } = await run('import', 'wxr', file(text));
      assert.deepEqual([code, out], [1, ''], text);
      assert.match(err, said);
    }
    assert.match((await run('import', 'wxr', '/nowhere.xml')).err, /cannot be read/);
    assert.deepEqual(await everything(), before);
  });
});
