// What people write so that it is taken for something else: names that are markup, and words spelled so that no list finds them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aTalk, comments } from '#test/talk.ts';

eachEngine('comments in disguise', async (engine) => {
  const { site, clock, aPost, say, set } = await aTalk(engine);
  await set({ anonymous_rest_comments: true, comment_previously_approved: false });
  const editor = site.as('editor');
  const { id: post } = await aPost();
  const anonymous = async (about: object) => {
    clock.pass(60_000);
    return (await site.post(comments, { post, author_name: 'Eve', author_email: 'eve@crowd.test', ...about })).body;
  };
  /** What became of it, as those see it who look after comments. */
  const fate = async (about: object): Promise<string> => {
    const { id } = await anonymous(about);
    return (await editor.get(`${comments}/${id}?context=edit`)).body.status;
  };

  test('a name has no tag in it, whoever gives it', () =>
    checkRows(
      [
        ['<<b>script>x', '&lt;script>x'],
        ['<<b>img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)>'],
        ['<scr<script>ipt>x', 'ipt>x'],
        ['<\u202eb>Ada', '&lt;b>Ada'],
        ['<b>Ada</b> <img src=x', 'Ada &lt;img src=x'],
        ['1 < 2 &lt; 3', '1 &lt; 2 &lt; 3'],
      ],
      async ([name, kept]) => {
        const { id, author_name } = await anonymous({ content: `I am ${name}`, author_name: name });
        const said = { post, content: `She is ${name}`, author_name: name, author_email: 'eve@crowd.test' };
        const byEditor = await say('editor', said);
        assert.deepEqual([author_name, byEditor.body.author_name], [kept, kept]);
        const changed = await editor.put(`${comments}/${id}`, { author_name: name });
        assert.equal(changed.body.author_name, kept);
        assert.equal((await site.get(`${comments}/${id}`)).body.author_name, kept);
      },
    ));

  test('a word that is not wanted is found in every spelling', () =>
    checkRows(
      [
        'buy viagra',
        'buy v&#105;agra',
        'buy vi&shy;agra',
        'buy vi\u00adagra',
        'buy v\u200biagra',
        'buy v&#8203;iagra',
        'buy v&#8288;ia&zwnj;gra',
        'buy v\u034fiagra',
        'buy v\u0131agra',
        'buy ｖｉàgra',
        'buy vi<b></b>&#97;gra',
        'buy <a href="http://v%69agra.test/">it</a>',
        'buy <a href="http://vi&shy;agra.test/">it</a>',
      ],
      async (content) => {
        await set({ disallowed_words: 'vi\u00adagra', moderation_words: '' });
        assert.equal(await fate({ content }), 'trash');
        await set({ disallowed_words: '', moderation_words: 'VIAGRA' });
        assert.equal(await fate({ content: `${content} now` }), 'hold');
      },
    ));

  test('words are found in names and addresses too, and other words are not', async () => {
    await set({ disallowed_words: 'viagra\n\u200b\n', moderation_words: '' });
    assert.equal(await fate({ content: 'one', author_name: 'V&#105;agra' }), 'trash');
    assert.equal(await fate({ content: 'two', author_name: 'V\u2060iagra' }), 'trash');
    assert.equal(await fate({ content: 'three', author_url: 'http://v%69agra.test/' }), 'trash');
    assert.equal(await fate({ content: 'via gra & vi agra' }), 'approved');
  });

  test('links are counted as they are read', async () => {
    await set({ disallowed_words: '', comment_max_links: 2 });
    assert.equal(await fate({ content: 'See http&#58;//b.test' }), 'approved');
    assert.equal(await fate({ content: 'See http&#58;//b.test and ht\u200btp://c.test' }), 'hold');
  });
});
