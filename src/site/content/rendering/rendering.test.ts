import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { measuresTime } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { balanced } from './balanced.ts';
import { paragraphs } from './paragraphs.ts';
import type { Prose } from './rendering.ts';

describe('Paragraphs', () => {
  const cases: [about: string, text: string, html: string][] = [
    [
      'a picture with a caption stands close',
      '<figure>\n<img>\n<figcaption>c</figcaption>\n</figure>',
      '<figure>\n<img><figcaption>c</figcaption></figure>\n',
    ],
    ['lines in a comment are no lines', 'a <!-- b\n\nc --> d', '<p>a <!-- b\n\nc --> d</p>\n'],
    [
      'sources of a film stand close',
      '<video>\n<source src="a">\n<source src="b">\n</video>',
      '<p><video><source src="a"><source src="b"></video></p>\n',
    ],
    [
      'typed text that begins like what is set aside stays',
      '<pre>a</pre>\n\n<pre 0></pre>',
      '<pre>a</pre>\n<pre 0></pre>\n',
    ],
    ['blocks stand in blocks', '<div><div>a</div></div>', '<div>\n<div>a</div>\n</div>\n'],
  ];
  test('are put where lines end', () => checkRows(cases, ([, text, html]) => assert.equal(paragraphs(text), html)));
});

eachEngine('What is shown', (engine) => {
  let site: TestSite;
  let prose: Prose;
  before(async () => {
    site = await aSite(engine);
    prose = await site.app.services.content.rendering.prose();
  });

  const post = { id: 1, excerpt: '' };
  const excerpt: Prose['excerpt'] = (...asked) => prose.excerpt(...asked);
  const comment = (text: string): string => prose.comment(text);
  const content = async (text: string): Promise<string> => {
    const source = { key: 'post 1', content: text, of: undefined };
    return (await site.app.services.content.rendering.contents([source]))[0]!.html;
  };

  describe('An excerpt', () => {
    test('is as long as somebody asks', () =>
      assert.equal(excerpt({ ...post, content: 'a b c' }, 2), '<p>a b [&hellip;]</p>\n'));

    test('of a very long text is made of its beginning, and tears nothing', () => {
      const rest = `${'word '.repeat(12_800)}<a title="${'long '.repeat(1_000)}">linked</a>${' end'.repeat(1_000_000)}`;
      for (const begun of ['', '<!-- wp:paragraph -->']) {
        const words = excerpt({ ...post, content: `${begun}${rest}` }, 1_000_000);
        assert.equal(words, `<p>${'word '.repeat(1000)}[&hellip;]</p>\n`);
      }
      const signs = excerpt({ ...post, content: `5 < 6 ${'😀'.repeat(500_000)}` });
      assert.ok(signs.isWellFormed() && signs.startsWith('<p>5 &lt; 6 😀') && signs.endsWith('😀 [&hellip;]</p>\n'));
      const torn = excerpt({ ...post, content: `before <!-- ${'x '.repeat(50_000)}--> after` });
      assert.equal(torn, '<p>before [&hellip;]</p>\n');
      assert.equal(excerpt({ ...post, content: `one <!--more-->${'x '.repeat(50_000)}` }), '<p>one</p>\n');
    });

    test('that somebody wrote is not cut', () =>
      assert.equal(excerpt({ ...post, excerpt: 'a b c', content: 'd' }, 2), '<p>a b c</p>\n'));

    test('has nothing that no browser shows', () =>
      assert.equal(excerpt({ ...post, content: 'a <style>b</style><!-- c --> <script>d</script>e' }), '<p>a e</p>\n'));

    test('has no tag that lost its end together with a shortcode', () => {
      const marked = '<!-- wp:paragraph --><p title="[caption]">a[/caption]" onmouseover=b c';
      assert.doesNotMatch(excerpt({ ...post, content: marked }).replace(/<\/?p>/g, ''), /</);
      assert.equal(
        excerpt({ ...post, content: '<textarea><img src=x onerror=y></textarea>' }),
        '<p>&lt;img src=x onerror=y></p>\n',
      );
    });

    test('is set in type with its faces, whoever wrote it', () => {
      assert.equal(
        excerpt({ ...post, content: '<b>"a"</b> -- it\'s :)' }),
        '<p>&#8220;a&#8221; &#8212; it&#8217;s 🙂</p>\n',
      );
      assert.equal(excerpt({ ...post, excerpt: '"a" :)', content: '' }), '<p>&#8220;a&#8221; 🙂</p>\n');
    });

    test('has nothing that other formats take for their end', () =>
      assert.equal(excerpt({ ...post, content: 'a ]]> b' }), '<p>a ]]&gt; b</p>\n'));

    test('that somebody wrote for a file is a caption', () =>
      assert.equal(prose.caption('a\n\nb'), '<p>a</p>\n<p>b</p>\n'));
  });

  test('What is remembered is of one text', async () => {
    assert.equal(await content('a'), '<p>a</p>\n');
    assert.equal(await content('b'), '<p>b</p>\n');
  });

  test('Faces are what was typed once nobody wants them, to those who looked before, too', async () => {
    const own = await aSite(engine);
    const administrator = own.as('administrator');
    const said = { title: ':)', content: ':)', status: 'publish' };
    const { body: made } = await administrator.post('/api/core/v2/posts', said);
    const { body: remark } = await administrator.post('/api/core/v2/comments', { post: made.id, content: ':)' });
    const shown = async (): Promise<string[]> => {
      const { title, content, excerpt } = (await own.get(`/api/core/v2/posts/${made.id}`)).body;
      const comment = (await own.get(`/api/core/v2/comments/${remark.id}`)).body.content;
      return [title, content, excerpt, comment].map(({ rendered }) => rendered.trim());
    };
    assert.deepEqual(await shown(), [':)', '<p>🙂</p>', '<p>🙂</p>', '<p>🙂</p>']);
    assert.equal((await administrator.post('/api/core/v2/settings', { use_smilies: false })).status, 200);
    assert.deepEqual(await shown(), [':)', '<p>:)</p>', '<p>:)</p>', '<p>:)</p>']);
  });

  describe('A comment', () => {
    test('ends what it begins, and nothing else', () => {
      assert.equal(comment('<b>a <i>b</b> c</i></div>'), '<p><b>a <i>b</i></b> c</p>\n');
      assert.equal(balanced('<blockquote><br><hr /><img src=x>a'), '<blockquote><br/><hr /><img src=x/>a</blockquote>');
    });

    test('lets nothing take in what comes after it', () =>
      checkRows(
        [
          ['a <!-- b', 'a '],
          ['a <!-- b --> c <!-- d --!> e', 'a <!-- b --> c <!-- d --!> e'],
          ['<b>a</b ', '<b>a</b>'],
          ['a <b title="c', 'a &lt;b title="c'],
          ['a < b &amp; c', 'a < b &amp; c'],
          ['a <plaintext>b <i>c', 'a b &lt;i>c'],
          ['<textarea>a <b', '<textarea>a <b</textarea>'],
          ['<base href="/x">a', '<base href="/x"/>a'],
        ] as const,
        ([text, ended]) => assert.equal(balanced(text), ended),
      ));

    test('is set in type, has links and faces, and no shortcode', () =>
      assert.equal(
        comment('[gallery] "See www.a.test/b--c" :)\n<code>:) "www.b.test"</code>'),
        '<p>[gallery] &#8220;See <a href="http://www.a.test/b--c" rel="nofollow ugc">http://www.a.test/b--c</a>&#8221; 🙂<br />\n' +
          '<code>:) "www.b.test"</code></p>\n',
      ));
  });

  describe('Text made to take long is done at once', () => {
    const pieces = [
      '<',
      '<pre>',
      '<script>',
      '<!--',
      '<!-- wp:x {',
      '\n',
      ' ',
      '<br>',
      '<br> ',
      '[gallery]',
      '[caption ',
      '<p>',
      '<b>',
      '</i>',
      '<li>',
      '<blockquote>',
      'a\n\n',
      '<!--more',
    ];
    test('whatever it repeats', () =>
      checkRows(pieces, async (piece) => {
        const text = `${'<b>'.repeat(10_000)}<!-- wp:y -->${piece.repeat((measuresTime ? 200_000 : 50_000) / piece.length)}-->`;
        const start = process.threadCpuUsage();
        for (const one of [text, text.replace('wp:', '')]) {
          await content(one);
          excerpt({ ...post, content: one });
          comment(one);
        }
        if (measuresTime) assert.ok(process.threadCpuUsage(start).user < 2_000_000);
      }));
  });
});
