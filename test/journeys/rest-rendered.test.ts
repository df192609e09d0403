// An extension shows something of its own in texts: for a shortcode, for a block and for an address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rendered } from '#site/content/rendering/rendering.ts';
import type { AnyEntry, Entry } from '#site/extension.ts';
import type { Store } from '#store/store.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { core } from '../../src/extensions/core/extension.ts';

interface Word {
  readonly word: string;
  readonly meaning: string;
}

interface Words {
  all(): Promise<Word[]>;
  meaning(word: string): Promise<string | undefined>;
}

const glossary: Entry<Words> = ({ live, html }) => ({
  name: 'glossary',
  tables: {
    migrations: [
      {
        name: '0001-words',
        up: async ({ table, column }) => {
          await table('glossary_words')
            .addColumn('word', column.text, (c) => c.primaryKey())
            .addColumn('meaning', column.text, (c) => c.notNull())
            .execute();
        },
      },
    ],
  },
  nouns: ({ store }) => {
    const { db }: Store<{ glossary_words: Word }> = store;
    return {
      all: () => db.selectFrom('glossary_words').selectAll().orderBy('word').limit(100).execute(),
      meaning: async (word) =>
        (await db.selectFrom('glossary_words').select('meaning').where('word', '=', word).executeTakeFirst())?.meaning,
    };
  },
  render: (words) => ({
    shortcodes: {
      meaning: live({
        rests: ['glossary_words'],
        find: ({ attributes }) => words.meaning(String(attributes.of)),
        write: ({ inner }, meaning) =>
          meaning === undefined ? inner : `${html`<abbr title="${meaning}">`}${inner}</abbr>`,
      }),
    },
    blocks: {
      'glossary/words': live({
        rests: ['glossary_words'],
        find: words.all,
        write: (_, all) => String(html`<ul>${all.map(({ word }) => html`<li>${word}</li>`)}</ul>`),
      }),
    },
    addresses: [
      {
        knows: (url) => url.startsWith('https://glossary.test/'),
        rests: ['glossary_words'],
        find: async (urls) =>
          new Map(
            (await words.all())
              .map(({ word, meaning }) => [`https://glossary.test/${word}`, `${html`<i>${meaning}</i>`}`] as const)
              .filter(([url]) => urls.includes(url)),
          ),
      },
    ],
  }),
});

async function withWords(engine: TestEngine) {
  const site = await aSite(engine, { extensions: [core, glossary] });
  const { write } = site.app.services.store as unknown as Store<{ glossary_words: Word }>;
  return {
    site,
    say: (word: string, meaning: string) =>
      write((tx) => tx.insertInto('glossary_words').values({ word, meaning }).execute()),
    shown: async (content: string) => {
      const said = { title: 'A', status: 'publish', content };
      const { body } = await site.as('editor').post('/api/core/v2/posts', said);
      return async (): Promise<string> => (await site.get(`/api/core/v2/posts/${body.id}`)).body.content.rendered;
    },
  };
}

eachEngine('What an extension shows in texts', (engine) => {
  test('is what it looks up, for everybody, from the next answer on after it changed', async () => {
    const { say, shown } = await withWords(engine);
    const typed = await shown('The [meaning of="bee"]bee[/meaning].');
    const made = await shown('<!-- wp:glossary/words /-->');
    const linked = await shown('https://glossary.test/bee\n\nhttps://other.test/');
    const before = ['<p>The bee.</p>\n', '<ul></ul>', '<p>https://glossary.test/bee</p>\n<p>https://other.test/</p>\n'];
    const all = () => Promise.all([typed(), made(), linked()]);
    for (let time = 0; time < 2; time++) assert.deepEqual(await all(), before);
    await say('bee', 'makes "honey" [meaning of="bee"]');
    assert.deepEqual(await all(), [
      '<p>The <abbr title="makes &quot;honey&quot; [meaning of=&quot;bee&quot;]">bee</abbr>.</p>\n',
      '<ul><li>bee</li></ul>',
      '<i>makes &quot;honey&quot; [meaning of=&quot;bee&quot;]</i>\n<p>https://other.test/</p>\n',
    ]);
    await say('ant', 'is small');
    assert.equal(await made(), '<ul><li>ant</li><li>bee</li></ul>');
  });

  const showing =
    (rendered: Rendered): AnyEntry =>
    () => ({ name: 'showing', nouns: () => ({}), render: () => rendered });
  const nothing = { write: () => '' };
  const unfit: [rendered: Rendered, sentence: string][] = [
    [{ shortcodes: { caption: nothing } }, 'Another extension renders the shortcode caption already.'],
    [{ shortcodes: { 'a]': nothing } }, '"a]" is not a valid name of a shortcode.'],
    [{ blocks: { latest: nothing } }, '"latest" is not a valid name of a block.'],
  ];
  for (const [rendered, sentence] of unfit)
    test(`stops the start where it cannot be: ${sentence}`, () =>
      assert.rejects(aSite(engine, { extensions: [core, showing(rendered)] }), {
        message: `The extension showing cannot be used. ${sentence}`,
      }));
});
