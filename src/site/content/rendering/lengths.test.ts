import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { lengthsIn } from './excerpts.ts';

const cases: [language: string, text: string, most: number, said: string, isAll: boolean][] = [
  ['en_US', ' one  two\nthree ', 2, 'one two', false],
  ['', 'one two', 2, 'one two', true],
  ['zh_CN', '今天天气很好', 4, '今天天气', false],
  ['ja', '今日は 良い', 4, '今日は', false],
  ['ja', '今日は', 3, '今日は', true],
  ['th', 'ที่นี่', 1, 'ที่', false],
  ['zh_TW', '&#8220;好&#8221;', 2, '&#8220;好', false],
];
test('a text is cut to a number of words', () =>
  checkRows(cases, ([language, text, most, said, isAll]) =>
    assert.deepEqual(lengthsIn(language).first(text, most), { said, isAll }),
  ));

eachEngine('An excerpt that nobody wrote', (engine) => {
  test('has so many characters where words stand without blanks, and words again elsewhere', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const { body } = await admin.post('/api/core/v2/posts', {
      title: 'T',
      content: '字'.repeat(60),
      status: 'publish',
    });
    const excerpt = async () => (await site.get(`/api/core/v2/posts/${body.id}`)).body.excerpt.rendered;
    assert.equal(await excerpt(), `<p>${'字'.repeat(60)}</p>\n`);
    assert.equal((await admin.put('/api/core/v2/settings', { language: 'zh_CN' })).status, 200);
    assert.equal(await excerpt(), `<p>${'字'.repeat(55)} [&hellip;]</p>\n`);
  });
});
