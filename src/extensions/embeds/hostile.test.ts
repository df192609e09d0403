// Other sites that mean no good, or do not know what they say: there is nothing to show of them, and nothing of theirs runs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { type Answer, asking, frame, json, link, page, refused, video } from '#test/embeds.ts';
import { endless } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';

const large = 10 * 1024 * 1024;

const leadsTo =
  (to: string): Answer =>
  (_, response) =>
    response.writeHead(302, { Location: to }).end();

eachEngine('Other sites that mean no good', (engine) => {
  const nothing = refused('oembed_invalid_url', 404);
  const whole = { ...video, html: frame };

  const hostile: [about: string, markup: string][] = [
    ['no frame', '<blockquote>x</blockquote><script>y</script>'],
    ['a frame that runs', '<iframe src="javascript:x"></iframe>'],
    ['a frame that brings itself', '<iframe src="data:text/html,x"></iframe>'],
    ['a frame without an address', '<iframe srcdoc="<script>x</script>"></iframe>'],
  ];
  test('there is nothing to show of a page without a frame that is safe', () =>
    checkRows(hostile, async ([, html]) => {
      const { show } = await asking(engine, { '/page': page(link('/json')), '/json': json({ ...video, html }) });
      await assert.rejects(show('/page'), refused('oembed_invalid_url', 404));
    }));

  const answers: [about: string, answer: Answer, reason: string | undefined][] = [
    ['is too much', json({ ...whole, title: 'x'.repeat(large) }), 'size'],
    ['never ends', endless('application/json', '{"title":"'), 'size'],
    ['leads to inside of the house', leadsTo('http://169.254.169.254/latest'), 'broken'],
    ['leads to another door of this machine', leadsTo('http://127.0.0.1:1/'), 'broken'],
    ['leads to itself', leadsTo('/told'), 'redirects'],
    ['is a page', page('<html>'), 'type'],
    ['is a page that calls itself data', json('<html>'), undefined],
    ['is a list', json([whole]), undefined],
    ['is nothing', json(null), undefined],
    ['is of no type there is', json({ ...whole, type: 'page' }), undefined],
    ['is of a type that is no word', json({ ...whole, type: ['video'] }), undefined],
    ['is of another version', json({ ...whole, version: '2.0' }), undefined],
    ['has a size that is none', json({ ...whole, width: 'javascript:x' }), undefined],
    ['is a picture that runs', json({ ...whole, type: 'photo', url: 'javascript:x' }), undefined],
    ['is not to be seen', json({}, 401), undefined],
  ];
  test('there is nothing to show of a page whose description is not valid', () =>
    checkRows(answers, async ([, answer, reason]) => {
      const { show } = await asking(engine, { '/page': page(link('/told')), '/told': answer });
      await assert.rejects(show('/page'), refused('oembed_invalid_url', 404, reason));
    }));

  const pages: readonly (readonly [about: string, answer: Answer])[] = [
    ['is endless', endless('text/html', '<p>')],
    ['is of another kind', json(whole)],
    ['leads to a private address', leadsTo('http://10.0.0.1/')],
  ];
  test('a page that cannot be read names nothing', () =>
    checkRows(pages, async ([, answer]) => {
      const { show, asked } = await asking(engine, { '/page': answer, '/told': json(whole) });
      await assert.rejects(show('/page'));
      assert.deepEqual(asked(), ['/page']);
    }));

  test('a page that never ends is read as far as it names where it is told of', async () => {
    const { show } = await asking(engine, {
      '/page': endless('text/html', link('/told')),
      '/told': json(whole),
    });
    assert.equal((await show('/page')).type, 'video');
  });

  test('one that answers nothing is waited for so long, and then it is late', async () => {
    const { show, patience, remote } = await asking(engine, { '/p/1': () => patience.pass(10_000) });
    await assert.rejects(show('/p/1'), refused('oembed_invalid_url', 404, 'late'));
    await remote.quiet();
  });

  test('a known site that turns bad is taken at nothing but its words', async () => {
    const { show } = await asking(
      engine,
      { '/oembed': json({ ...whole, url: 'javascript:x', author_url: 'javascript:x', scripts: 'x', odd: 1 }) },
      true,
    );
    assert.deepEqual(Object.keys(await show('/p/1')).sort(), ['height', 'html', 'type', 'version', 'width']);
    const photo = { ...video, type: 'photo', url: 'data:text/html,<script>x</script>' };
    const other = await asking(engine, { '/oembed': json(photo) }, true);
    await assert.rejects(other.show('/p/1'), nothing);
  });

  test('words cannot leave the place they are put', async () => {
    const evil = '"><script>alert(1)</script>';
    const said = { type: 'link', version: '1.0', title: evil };
    const { show, remote } = await asking(engine, { '/oembed': json(said) }, true);
    const { html } = await show(`/p/1?a=${evil}`);
    assert.doesNotMatch(String(html), /<script|="[^"]*"[^ >]/);
    assert.ok(String(html).startsWith(`<a href="${remote.url}/p/1?a=&quot;&gt;&lt;script`));
    const framedBy = `<iframe src="https://x.test/" title='${evil}' width='1"onload=x' height="200000"></iframe>`;
    const other = await asking(engine, { '/page': page(link('/told')), '/told': json({ ...video, html: framedBy }) });
    assert.equal(
      (await other.show('/page')).html,
      '<iframe sandbox="allow-scripts" security="restricted" src="https://x.test/#?secret=abcdefghij" data-secret="abcdefghij"' +
        ' title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
    );
  });
});
