// What a text shows of others is bounded by how much it is, is looked up once, and not again until something of it changes.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { live } from './live.ts';

const core = '/api/core/v2';
const many = (block: (at: number) => string, times = 100): string =>
  Array.from({ length: times }, (_, at) => block(at)).join('');
const spelled = (name: string) => many((at) => `<!-- wp:${name} {"x":${at}} /-->`);

eachEngine('What a text finds', (engine) => {
  let site: TestSite;
  let asked: string[] = [];
  let said = '';
  before(async () => {
    site = await aSite(engine);
    const told = live<string>({
      rests: ['comments'],
      reads: ['of'],
      find: async ({ attributes: { of } }) => {
        asked.push(String(of));
        return `${of} ${said}`;
      },
      write: (_, found) => `<i>${found}</i>`,
    });
    site.app.services.content.rendering.also({ blocks: { 'test/told': told } });
  });
  beforeEach(() => {
    asked = [];
    said = '';
  });

  const rendered = async (key: string, content: string): Promise<string> => {
    const [shown] = await site.app.services.content.rendering.contents([{ key, content, of: undefined }]);
    return shown!.html;
  };
  const made = async (role: string, path: string, body: object): Promise<number> => {
    const { status, body: answer, text } = await site.as(role).post(`${core}/${path}`, body);
    assert.equal(status, 201, text.slice(0, 300));
    return answer.id;
  };

  test('is looked up once, however often it is spelled otherwise', async () => {
    const html = await rendered('spelled', spelled('test/told'));
    assert.equal(html, '<i>undefined </i>'.repeat(100));
    assert.deepEqual(asked, ['undefined']);
  });

  test('is not looked up again until there is word of what it rests on', async () => {
    const content = '<!-- wp:test/told {"of":"b"} /--><!-- wp:test/told {"of":"c"} /-->';
    const shown = () => rendered('rests', content);
    assert.equal(await shown(), '<i>b </i><i>c </i>');
    said = 'anew';
    assert.equal(await shown(), '<i>b </i><i>c </i>');
    assert.deepEqual(asked, ['b', 'c']);
    const post = await made('author', 'posts', { title: 'Talked about', status: 'publish' });
    assert.equal(await shown(), '<i>b </i><i>c </i>');
    await made('administrator', 'comments', { post, content: 'Word' });
    assert.equal(await shown(), '<i>b anew</i><i>c anew</i>');
    assert.deepEqual(asked, ['b', 'c', 'b', 'c']);
  });

  test('is another for another text under the same name', async () => {
    assert.equal(await rendered('same', '<!-- wp:test/told {"of":"d"} /-->'), '<i>d </i>');
    assert.equal(await rendered('same', '<!-- wp:test/told {"of":"e"} /-->'), '<i>e </i>');
    assert.equal(await rendered('same', '<!-- wp:test/told {"of":"d"} /-->'), '<i>d </i>');
  });

  test('is no more than so much: what goes beyond it is not found', async () => {
    said = 'x'.repeat(300_000);
    const html = await rendered(
      'heavy',
      many((at) => `<!-- wp:test/told {"of":${at}} /-->`),
    );
    assert.ok(html.startsWith('<i>0 x'));
    assert.ok(html.length < 3_000_000, `${html.length}`);
    assert.ok(asked.length < 20, `${asked.length} were looked up`);
  });

  test('is the beginning of a very long excerpt, of very many notes and of long titles', async () => {
    const excerpt = 'word "said" '.repeat(80_000);
    const footnotes = JSON.stringify(
      Array.from({ length: 600 }, (_, at) => ({ id: `n${at}`, content: excerpt.slice(0, 1_200) })),
    );
    const blocks = `${spelled('post-excerpt')}${spelled('footnotes')}${spelled('post-title')}`;
    const id = await made('contributor', 'posts', { title: excerpt, excerpt, content: blocks, meta: { footnotes } });
    const { body } = await site.as('editor').get(`${core}/posts?status=draft&context=edit&include=${id}`);
    const [{ title, excerpt: own, content }] = body;
    assert.equal(own.raw.length, excerpt.length);
    assert.ok(own.rendered.length < 200_000 && own.rendered.includes('…'), `${own.rendered.length}`);
    assert.ok(title.rendered.length < 50_000, `${title.rendered.length}`);
    assert.ok(content.rendered.length < 2_000_000, `${content.rendered.length}`);
    assert.match(content.rendered, /post-excerpt__excerpt">word &#8220;said&#8221; /);
    assert.match(content.rendered, /<ol class="wp-block-footnotes"><li id="n0">word/);
  });

  test('is as much of a title as somebody reads', async () => {
    const { text, status } = await site
      .as('author')
      .post(`${core}/posts`, { title: 'x'.repeat(100_000), status: 'publish' });
    assert.equal(status, 201, text.slice(0, 300));
    const html = await rendered('titles', spelled('latest-posts'));
    assert.ok(html.length > 100_000 && html.length < 500_000, `${html.length}`);
  });

  test('is of other texts as much as fits', async () => {
    const refs = [];
    for (const sign of 'abc')
      refs.push(await made('editor', 'blocks', { title: sign, content: sign.repeat(600_000), status: 'publish' }));
    const html = await rendered('included', refs.map((ref) => `<!-- wp:block {"ref":${ref}} /-->`).join(''));
    assert.ok(html.includes('aaaa') && !html.includes('bbbb') && !html.includes('cccc'), `${html.length}`);
  });

  test('a very long text lets others in while it is made, and is not made again', async () => {
    const content = '<pre>a</pre> words '.repeat(50_000);
    const withTurns = async () => {
      let [over, turns] = [false, 0];
      const turn = (): void => {
        turns += 1;
        if (!over) setImmediate(turn);
      };
      turn();
      const html = await rendered('long', content);
      over = true;
      return { html, turns };
    };
    const [first, again] = [await withTurns(), await withTurns()];
    assert.equal(again.html, first.html);
    assert.ok(first.turns > 5, `${first.turns}`);
    assert.ok(again.turns < first.turns / 2, `${first.turns} turns, and ${again.turns} again`);
  });
});
