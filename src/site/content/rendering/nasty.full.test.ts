// Texts made of one piece over and over take as long as they are, whatever the piece; and never long.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { staysLinear } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { OpenKit } from './kit.ts';
import type { Live } from './live.ts';
import { caption, embed } from './shortcodes/all.ts';
import { audio, video } from './shortcodes/players.ts';
import { written } from './written.ts';

const site = 'https://site.test';
const kit = new OpenKit();
const players: Readonly<Record<string, Live>> = {
  audio: { write: (placed) => audio(placed, site) },
  video: { write: (placed) => video(placed, site) },
};
kit.add({ shortcodes: { ...players, caption, embed: embed(site) } });

const nothing = {
  included: new Map(),
  live: new Map(),
  addresses: new Map(),
  pictures: new Map(),
  rests: new Set<string>(),
  print: '',
};
const shown = (content: string): string =>
  written(
    { key: 'a text', content, of: undefined },
    { kit, finds: nothing, smiling: true, urlOf: (file) => `${site}/${file}`, failed: () => {} },
  );

const pieces: Readonly<Record<string, readonly string[]>> = {
  shortcodes: [
    '[audio]',
    '[',
    ']',
    '[x]',
    '[[audio]]',
    '[/caption]',
    '[audio ',
    '[audio a="',
    '[audio a=b c=d]',
    '[audio src="http://a.b/c.mp3"]\n\n',
    '[caption width="3"]',
    '[caption width="3"]<img/>x[/caption]',
    '[embed]http://a.test/[/embed]\n',
  ],
  tags: [
    '<b>',
    '<p>',
    '</p>',
    '<br>',
    '<img>',
    '<img width=1 height=2 sizes="x">',
    '<a',
    '<a b="',
    '<a b=c>',
    '<a/x>',
    '<a "b">',
    '<p a= b>',
    '</a b>',
    '</',
    '<!',
    '<!--',
    '<!-- a -->',
    '<?',
    '<pre>',
    '<pre>a</pre>',
    '<script>a</script>',
    '<style>\n</style>',
    '<div>\n',
    '<li>\n',
    '<blockquote>\n\n',
    '<textarea>',
    '<plaintext>',
  ],
  text: [
    `'`,
    `"`,
    `'"`,
    `"a `,
    `5'6" `,
    '&',
    '-- ',
    '1x1 ',
    '1x',
    ':) ',
    '.',
    '`',
    'a\n\n',
    '\n',
    '\ufdd0',
    '\0',
    '\u00a0',
  ],
  addresses: ['http://a.test/x\n', '<p>http://a.test/x</p>', 'http://a.test/a.mp3\n', '\nhttp://'],
  blocks: [
    '<!-- wp:group -->\n<div>',
    '<!-- wp:shortcode -->\n[audio]\n<!-- /wp:shortcode -->\n',
    '<!-- wp:heading --><h2>a</h2><!-- /wp:heading -->',
    '<!-- wp:x/y /-->',
    '<!-- wp:a {',
    '<!-- /wp:a -->',
  ],
};
const inBlocks = '<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->\n';

describe('Work on a text stays linear, whatever it is made of', () => {
  for (const [what, some] of Object.entries(pieces))
    test(what, () =>
      checkRows(some, (piece) => {
        staysLinear(piece, shown, 400);
        if (what === 'text') staysLinear(piece, (text) => shown(inBlocks + text), 400);
      }),
    );
});

test('Ten thousand blocks in each other are shown', () => {
  const depth = 10_000;
  const html = shown(`${'<!-- wp:group --><div>'.repeat(depth)}in it${'</div><!-- /wp:group -->'.repeat(depth)}`);
  assert.equal(html, `${'<div>'.repeat(depth)}in it${'</div>'.repeat(depth)}`);
});

test('A text that hardly has a word between its signs stays as it stands', () => {
  const cells = `<td>"1"</td>`;
  assert.equal(shown(cells.repeat(10)), `${'<td>&#8220;1&#8221;</td>\n'.repeat(10)}`);
  assert.equal(shown(cells.repeat(20_000)), cells.repeat(20_000));
});
