import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';

const image = '<img src="https://site.test/a.png">';
const decoded = '<img decoding="async" src="https://site.test/a.png">';
const player = (source: string, url: string, type = 'audio/mpeg', more = '') =>
  `<audio class="wp-audio-shortcode" id="audio-0-1"${more} preload="none" style="width: 100%;" controls="controls">` +
  `<source type="${type}" src="${source}" /><a href="${url}">${url}</a></audio>\n`;

eachEngine('A shortcode is shown:', (engine) => {
  let site: TestSite;
  before(async () => {
    site = await aSite(engine);
  });
  const shown = async (content: string): Promise<string> => {
    const source = { key: 'post 1', content, of: undefined };
    return (await site.app.services.content.rendering.contents([source]))[0]!.html;
  };

  const cases: [about: string, text: string, html: string][] = [
    [
      'a caption keeps the link of its picture',
      `[caption width=9]<a href="https://site.test/">${image}</a> Said <b>here</b>[/caption]`,
      `<figure style="width: 9px" class="wp-caption alignnone"><a href="https://site.test/">${decoded}</a>` +
        '<figcaption class="wp-caption-text">Said <b>here</b></figcaption></figure>\n',
    ],
    ['a caption without a width is what it holds', `[caption]${image} a[/caption]`, `${decoded}\n`],
    ['a caption of no width is what it holds', `[caption width=0 caption=a]${image}[/caption]`, `${decoded}\n`],
    ['a caption that says nothing is what it holds', `[caption width=9]${image}[/caption]`, `${decoded}\n`],
    ['a caption without a picture is what it holds', '[caption width=9]a[/caption]', 'a\n'],
    [
      'captions alike have names of their own',
      `[caption id=a_1 width=9 caption=b]c[/caption] [caption id=a_1 width=9 caption=b]c[/caption]`,
      ['', '-2']
        .map(
          (number) =>
            `<figure id="a_1${number}" aria-describedby="caption-a-1${number}" style="width: 9px" class="wp-caption alignnone">` +
            `c<figcaption id="caption-a-1${number}" class="wp-caption-text">b</figcaption></figure>`,
        )
        .join(' ')
        .replace(/^.*$/, (both) => `<p>${both}</p>\n`),
    ],
    [
      'a caption may hold others',
      '[caption width=9 caption=a][audio src=https://site.test/a.mp3][/caption]',
      `<figure style="width: 9px" class="wp-caption alignnone">` +
        `${player('https://site.test/a.mp3?_=1', 'https://site.test/a.mp3').trim()}` +
        '<figcaption class="wp-caption-text">a</figcaption></figure>\n',
    ],
    [
      'a sound plays as somebody wants it',
      '[audio mp3="https://site.test/a.mp3?b=1&amp;c=2#t=3" ogg=/a.ogg loop=on autoplay=true muted=no preload=auto class="wide x"]',
      '<audio class="wp-audio-shortcode wide x" id="audio-0-1" loop="1" autoplay="1" preload="auto" style="width: 100%;" ' +
        'controls="controls"><source type="audio/mpeg" src="https://site.test/a.mp3?b=1&amp;c=2&amp;_=1#t=3" />' +
        '<source type="audio/ogg" src="/a.ogg?_=1" />' +
        '<a href="https://site.test/a.mp3?b=1&amp;c=2#t=3">https://site.test/a.mp3?b=1&amp;c=2#t=3</a></audio>\n',
    ],
    [
      'a film has its picture and what is said in it',
      '[video src=https://site.test/a.webm poster=https://site.test/a.png height=9]<track src="a.vtt" kind="captions"> b[/video]',
      '<div style="width: 640px;" class="wp-video"><video class="wp-video-shortcode" id="video-0-1" width="640" height="9" ' +
        'poster="https://site.test/a.png" preload="metadata" controls="controls">' +
        '<source type="video/webm" src="https://site.test/a.webm?_=1" />' +
        '<a href="https://site.test/a.webm">https://site.test/a.webm</a><track src="a.vtt" kind="captions"></video></div>\n',
    ],
    [
      'what no player plays is a link',
      '[audio src=https://site.test/a]',
      '<a class="wp-embedded-audio" href="https://site.test/a">https://site.test/a</a>\n',
    ],
    ['a player of nothing is nothing', 'a [audio] [video /] b', '<p>a   b</p>\n'],
    [
      'an address of which nothing is known is a link, as it was written',
      'a [embed width=9]https://site.test/a--b?c=1&d=10x20[/embed]',
      '<p>a <a href="https://site.test/a--b?c=1&amp;d=10x20">https://site.test/a--b?c=1&amp;d=10x20</a></p>\n',
    ],
    ['a gallery of nothing is nothing', '[gallery ids="1,2,x" link=file] [playlist ids=7]', '<p> </p>\n'],
    [
      'a shortcode in a block',
      '<!-- wp:shortcode -->\n[audio src=https://site.test/a.mp3]\n<!-- /wp:shortcode -->',
      player('https://site.test/a.mp3?_=1', 'https://site.test/a.mp3'),
    ],
    [
      'over several lines',
      '[audio\nsrc=https://site.test/a.mp3\n\nloop="1"]',
      player('https://site.test/a.mp3?_=1', 'https://site.test/a.mp3', 'audio/mpeg', ' loop="1"'),
    ],
  ];
  test('in each of its forms', () => checkRows(cases, async ([, text, html]) => assert.equal(await shown(text), html)));

  test('many of one text are written until there are enough of them', async () => {
    const html = await shown('[video src=https://site.test/a.mp4]'.repeat(100_000));
    const played = html.split('<video').length - 1;
    assert.ok(played > 2_000 && played < 5_000, `${played}`);
    assert.ok(html.length < 4_500_000, `${html.length}`);
  });

  test('there are no more of them than anybody writes into one text', async () => {
    const html = await shown('[audio] '.repeat(6_000));
    assert.equal(html.match(/\[audio\]/g)?.length, 1_000);
  });
});

eachEngine('What shortcodes say becomes nothing else in a page:', (engine) => {
  let site: TestSite;
  before(async () => {
    site = await aSite(engine);
  });
  const attacks = [
    `[caption id='"><script>' align='x" onclick="y' class="&quot; onclick=&quot;y" width="9;}" caption="a"]b[/caption]`,
    `[caption width='1px" onclick="y' caption="a"]b[/caption]`,
    `[caption width=1 caption="<a title='"]<img src=x onerror=y>[/caption]'>`,
    `<b title="[caption width=1 caption='x']y[/caption]">`,
    `<b title="[caption width=1]<img> "onclick=y x="[/caption]">`,
    `<b title="[audio src='https://site.test/a.mp3']">`,
    `<b title="[[caption]]" id='[embed]" onclick=y[/embed]'>`,
    `[audio src="javascript:alert(1)//a.mp3"]`,
    `[audio src="java&#115;cript:alert(1)//a.mp3"]`,
    `[audio src="https://site.test/&quot; onclick=&quot;y.mp3"]`,
    `[audio src='https://site.test/" onclick="y.mp3' class='" onclick="y' preload='" onclick="y']`,
    `[video src=https://site.test/a.mp4 poster='x" onclick="y' width='1" onclick="y' height='1" onclick="y']`,
    `[video src=https://site.test/a.mp4 poster='java\tscript:alert(1)']`,
    `[video src=https://site.test/a.mp4]<script>y</script><img src=x onerror=y>[/video]`,
    '[embed]javascript:alert(1)[/embed]',
    '[embed src="data:text/html,x"]',
    `[embed]https://site.test/"onclick=y[/embed]`,
    `[embed]https://site.test/<b title="x>[/embed]" onclick=y>`,
    `[embed src='https://site.test/" onclick="y'][/embed]`,
    `[gallery ids=1 size='" onclick="y' columns='9" onclick="y' link='" onclick="y']`,
  ];
  test('none of these attacks', () =>
    checkRows(attacks, async (attack) => {
      const writer = site.as('author');
      const { body } = await writer.post('/api/core/v2/posts', { title: 'T', content: attack });
      const html: string = body.content.rendered;
      const bare = html.replace(/="[^"]*"|='[^']*'/g, '=');
      assert.doesNotMatch(bare, /<script|<[^>]*(?:onclick|onerror)/i, html);
      assert.doesNotMatch(html, /(?:src|href|poster)="(?!https?:)/i);
    }));
});
