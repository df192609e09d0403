import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { type Answer, asking, frame, json, link, page, refused, video } from '#test/embeds.ts';

eachEngine('Pages of other sites', (engine) => {
  test('a photo is a picture that leads to its page', async () => {
    const photo = {
      type: 'photo',
      version: 1,
      url: 'https://x.test/a.jpg?a=1&b="',
      width: 800,
      height: '400',
      title: '<b>"T"',
    };
    const { show, remote } = await asking(engine, { '/oembed': json({ ...photo, scripts: ['x'], odd: 1 }) }, true);
    assert.deepEqual(await show('/p/1'), {
      version: '1.0',
      type: 'photo',
      title: '<b>"T"',
      url: 'https://x.test/a.jpg?a=1&b=%22',
      width: 600,
      height: 300,
      html: `<a href="${remote.url}/p/1"><img src="https://x.test/a.jpg?a=1&amp;b=%22" alt="&lt;b&gt;&quot;T&quot;" width="600" height="300"></a>`,
    });
  });

  test('a known site is asked in its own words, and taken at them', async () => {
    const markup = `<script src="https://x.test/a.js"></script>\n${frame}<iframe src="http://x.test/"></iframe>`;
    const { show, remote } = await asking(engine, { '/oembed': json({ ...video, html: markup }) }, true);
    const { html, width, height } = await show('/p/1', { maxheight: 100 });
    assert.equal(html, `<script src="https://x.test/a.js"></script>${frame}`);
    assert.deepEqual([width, height], [200, 100]);
    const asked = new URL(remote.asked[0]!.url!, remote.url).searchParams;
    assert.deepEqual(Object.fromEntries(asked), {
      url: `${remote.url}/p/1`,
      maxwidth: '600',
      maxheight: '100',
      format: 'json',
      dnt: '1',
    });
  });

  test('a site that does not speak JSON is asked for XML', async () => {
    const xml: Answer = (request, response) => {
      if (!request.url!.includes('format=xml')) {
        response.writeHead(501).end();
        return;
      }
      response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' });
      response.end(
        '<?xml version="1.0"?><oembed><type>link</type><version>1.0</version><title>A &amp;amp; &lt;B</title></oembed>',
      );
    };
    const { show, remote } = await asking(engine, { '/oembed': xml }, true);
    assert.deepEqual(await show('/p/1'), {
      version: '1.0',
      type: 'link',
      title: 'A &amp; <B',
      html: `<a href="${remote.url}/p/1">A &amp;amp; &lt;B</a>`,
    });
  });

  test('a page that nobody knows says where it is told of, and is left a frame that can do nothing', async () => {
    const markup =
      '<blockquote onclick=x>Said <a href="https://x.test/" onclick=x>by</a> <a href="javascript:x">whom</a><script>x</script>' +
      '</blockquote><p>more</p><iframe src="https://x.test/f#old" onload=x width="1200" height="600" title="T" srcdoc="x"></iframe><script>y</script>';
    const { show, asked } = await asking(engine, {
      '/page': page(`<head>${link('/xml', 'text/xml+oembed')}${link('/json?a=1')}`),
      '/json': json({ ...video, type: 'rich', html: markup }),
    });
    const { html } = await show('/page');
    assert.equal(
      html,
      '<blockquote data-secret="abcdefghij">Said <a href="https://x.test/">by</a> <a>whom</a></blockquote>' +
        '<iframe sandbox="allow-scripts" security="restricted" src="https://x.test/f#?secret=abcdefghij" data-secret="abcdefghij"' +
        ' style="position: absolute; visibility: hidden;" width="600" height="300" title="T"></iframe>',
    );
    assert.deepEqual(asked(), ['/page', '/json']);
  });

  test('an answer without what it must have is none', async () => {
    const { show } = await asking(engine, {
      '/page': page(link('/json')),
      '/json': json({ ...video, html: undefined }),
    });
    await assert.rejects(show('/page'), refused('oembed_invalid_url', 404));
  });

  test('an address that may not be asked is refused, and one that a page names is nothing to show', async () => {
    const { show } = await asking(engine, { '/page': page(link('http://169.254.169.254/oembed')) });
    await assert.rejects(show('http://127.0.0.1:1/x'), refused('unsafe_url', 400));
    await assert.rejects(show('http://127.0.0.1/a.mp4', { discover: false }), refused('unsafe_url', 400));
    await assert.rejects(show('/page'), refused('oembed_invalid_url', 404, 'broken'));
  });

  test('without discovery nobody is asked about a page that nobody knows', async () => {
    const { show, asked } = await asking(engine, {});
    await assert.rejects(show('/page', { discover: false }), refused('oembed_invalid_url', 404));
    assert.deepEqual(asked(), []);
  });

  test('what goes wrong is nothing to show, with its reason', async () => {
    const { show } = await asking(engine, { '/oembed': json({}, 500), '/page': page('') }, true);
    await assert.rejects(show('/p/1'), refused('oembed_invalid_url', 404, 'status'));
    await assert.rejects(show('/page'), refused('oembed_invalid_url', 404));
    await assert.rejects(show('/missing'), refused('oembed_invalid_url', 404));
  });

  test('a film that lies bare on the web is played', async () => {
    const { show, remote } = await asking(engine, {});
    assert.deepEqual(await show('/a.MP4'), {
      provider_name: 'Embed Handler',
      html: `<video controls src="${remote.url}/a.MP4"></video>`,
      scripts: [],
    });
    assert.match(
      String((await show('/a"b.mp3', { discover: false })).html),
      /^<audio controls src="[^"]+a%22b\.mp3"><\/audio>$/,
    );
  });

  test('an answer is kept for a day, for whoever asks the same, and nothing for five minutes', async () => {
    const { show, asked, pass, others, remote } = await asking(
      engine,
      { '/oembed': json({ ...video, html: frame }) },
      true,
    );
    await show('/p/1');
    await others.show(2, { url: `${remote.url}/p/1`, format: 'json', maxwidth: 600, discover: true });
    assert.equal(asked().length, 1);
    await show('/p/1', { maxwidth: 500 });
    assert.equal(asked().length, 2);
    pass(86_400_000);
    await show('/p/1');
    assert.equal(asked().length, 3);
    await assert.rejects(show('/none'));
    await assert.rejects(show('/none'));
    assert.equal(asked().length, 4);
    pass(300_000);
    await assert.rejects(show('/none'));
    assert.equal(asked().length, 5);
  });

  test('a very long answer is shown, and not kept', async () => {
    const title = 'x'.repeat(70_000);
    const { show, asked, traces } = await asking(
      engine,
      { '/oembed': json({ type: 'link', version: '1.0', title }) },
      true,
    );
    for (const times of [1, 2]) {
      assert.equal((await show('/p/1')).title, title);
      assert.equal(asked().length, times);
    }
    assert.deepEqual((await traces())[1], []);
  });

  test('a page of this site is asked of nobody, whether it is there or not', async () => {
    const { show, asked } = await asking(engine, {});
    assert.deepEqual(await show('http://site.test/mine/'), { type: 'rich' });
    await assert.rejects(show('http://site.test/other/'), refused('oembed_invalid_url', 404));
    assert.deepEqual(asked(), []);
  });

  test('somebody asks sixty times a minute at most', async () => {
    const { show, others, pass, traces } = await asking(engine, {});
    for (let call = 0; call < 60; call++) await show('http://site.test/mine/');
    const before = await traces();
    await assert.rejects(show('http://site.test/mine/'), refused('too_many_requests', 429));
    await assert.rejects(show('http://site.test/other/'), refused('oembed_invalid_url', 404));
    await assert.rejects(show('http://127.0.0.1/x'), refused('unsafe_url', 400));
    assert.deepEqual(await traces(), before);
    await others.show(2, { url: 'http://site.test/mine/', format: 'json', maxwidth: 600, discover: true });
    pass(60_000);
    await show('http://site.test/mine/');
  });

  test('somebody asks other sites sixty times a minute at most, what is known of them too', async () => {
    const answers = { '/oembed': json({ type: 'link', version: '1.0', title: 'T' }) };
    const { show, asked, pass, traces } = await asking(engine, answers, true);
    for (let call = 0; call < 60; call++) await show(`/p/${call % 3}`);
    const before = await traces();
    const many = refused('too_many_requests', 429);
    for (const path of ['/p/0', '/p/new', '/page', 'http://site.test/mine/']) await assert.rejects(show(path), many);
    assert.equal(asked().length, 3);
    assert.deepEqual(await traces(), before);
    pass(60_000);
    assert.equal((await show('/p/new')).title, 'T');
  });
});
