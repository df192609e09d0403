// Pictures that a text names, or that belong to its record: what is found, who sees it, and that every change of it shows.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { send } from '#test/uploads.ts';

const core = '/api/core/v2';

const uploaded = async (site: TestSite, name: string, said: object = {}, width = 20, height = 10): Promise<number> => {
  const { body } = await send(site, 'administrator', `${name}.jpg`, await picture(width, height));
  const { status, text } = await site.as('administrator').put(`${core}/media/${body.id}`, said);
  assert.equal(status, 200, text);
  return body.id;
};

const added = async (site: TestSite, said: object): Promise<number> => {
  const { status, body } = await site.as('administrator').post(`${core}/posts`, { title: 'T', ...said });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
};

/** As anybody sees it. */
const seen = async (site: TestSite, post: number): Promise<string> =>
  (await site.get(`${core}/posts/${post}`)).body.content.rendered;

const namesIn = (html: string): string[] => Array.from(html.matchAll(/\/([a-z]+)\.jpg"/g), ([, name]) => name!);

eachEngine('A gallery', (engine) => {
  let site: TestSite;
  let ids: Record<'alder' | 'birch' | 'cedar' | 'hidden', number>;
  let post: number;
  before(async () => {
    site = await aSite(engine);
    post = await added(site, { status: 'publish' });
    const secret = await added(site, { status: 'private' });
    ids = {
      cedar: await uploaded(site, 'cedar', { title: 'A', post }),
      birch: await uploaded(site, 'birch', { title: 'C', post }),
      alder: await uploaded(site, 'alder', { title: 'B', caption: '"Said" <b>so', alt_text: '"<' }, 10, 20),
      hidden: await uploaded(site, 'hidden', { post: secret }),
    };
  });

  const shown = async (content: string): Promise<string> => {
    await site.as('administrator').put(`${core}/posts/${post}`, {
      content: content.replace(/\{(\w+)\}/g, (_, name) => String(ids[name as keyof typeof ids])),
    });
    return seen(site, post);
  };

  const cases: [about: string, text: string, names: string[]][] = [
    ['shows what belongs to its record', '[gallery]', ['cedar', 'birch']],
    ['shows what it names, in that order', '[gallery ids="{birch},{alder},{birch}"]', ['birch', 'alder']],
    ['shows what it includes', '[gallery include="{birch} {cedar}"]', ['cedar', 'birch']],
    ['leaves out what it excludes', '[gallery exclude={cedar}]', ['birch']],
    ['is sorted as it says', '[gallery orderby="title" order=DESC]', ['birch', 'cedar']],
    ['is sorted as it says, also where it names them', '[gallery ids={birch},{alder} orderby=ID]', ['birch', 'alder']],
    [
      'shows nothing that is not for everybody',
      '[gallery ids="{hidden},{alder}"] [gallery include={hidden}]',
      ['alder'],
    ],
    ['shows nothing that is not there', '[gallery ids="987654,{alder},x,-1"] [gallery id=987654]', ['alder']],
    ['stands in blocks', '<!-- wp:shortcode -->[gallery exclude={cedar}]<!-- /wp:shortcode -->', ['birch']],
    ['stands over lines', '[gallery\nids="{birch},\n{alder}"\n]', ['birch', 'alder']],
    ['stands in others', '[caption width=9 caption=x][gallery exclude={cedar}][/caption]', ['birch']],
    ['knows no order by chance', '[gallery orderby=rand]', ['cedar', 'birch']],
  ];
  test('shows the pictures asked for', () =>
    checkRows(cases, async ([, text, names]) => assert.deepEqual(namesIn(await shown(text)), names)));

  test('has what is known of its pictures, and nothing of it is more than text', async () => {
    const html = await shown('[gallery ids={alder} link=none columns=2 size=large]');
    assert.equal(
      html,
      `<div id='gallery-1' class='gallery galleryid-${post} gallery-columns-2 gallery-size-large'><figure class='gallery-item'>
			<div class='gallery-icon portrait'>
				<img loading="lazy" decoding="async" width="10" height="20" src="${site.config.url}/wp-content/uploads/2026/11/alder.jpg" class="attachment-large size-large" alt="&quot;&lt;" aria-describedby="gallery-1-${ids.alder}" style="background-color:#3466ab" />
			</div>
				<figcaption class='wp-caption-text gallery-caption' id='gallery-1-${ids.alder}'>
				&#8220;Said&#8221; <b>so</b>
				</figcaption></figure>
		</div>\n\n`,
    );
  });

  test('is no longer than its pictures are many, whatever it says of itself', async () => {
    const html = await shown(
      `[gallery ids={alder},{birch} size="${'a'.repeat(1_000_000)}" columns=${'9'.repeat(1_000)}]`,
    );
    assert.ok(html.length < 5_000);
  });

  test('of a record that only some see shows them what belongs to it', async () => {
    const draft = await added(site, { content: '[gallery]' });
    await uploaded(site, 'elder', { post: draft });
    const { body } = await site.as('administrator').get(`${core}/posts/${draft}`);
    assert.deepEqual(namesIn(body.content.rendered), ['elder']);
    const other = await added(site, { status: 'publish', content: `[gallery id=${draft}]` });
    assert.deepEqual(namesIn(await seen(site, other)), []);
  });
});

eachEngine('What a gallery shows to anybody shows at once, and soon where another process changed it', (engine) => {
  let here: TestSite;
  let elsewhere: TestSite;
  let ids: Record<'post' | 'owner' | 'alder' | 'birch', number>;
  before(async () => {
    here = await aSite(engine);
    const { data, database } = here.config;
    elsewhere = await aSite(engine, { config: { data, ...(database && { database }) } });
    const owner = await added(here, { status: 'publish', slug: 'owner' });
    const alder = await uploaded(here, 'alder');
    const birch = await uploaded(here, 'birch', { post: owner });
    const content = `[gallery ids="${alder},${birch}"] [gallery id=${owner}]`;
    ids = { owner, alder, birch, post: await added(here, { status: 'publish', content }) };
  });

  const put = (path: string, body: object) => here.as('administrator').put(`${core}/${path}`, body);
  const steps: [about: string, work: () => Promise<{ status: number }>][] = [
    ['a caption', () => put(`media/${ids.alder}`, { caption: 'Now' })],
    ['a text for those who do not see', () => put(`media/${ids.alder}`, { alt_text: 'Now' })],
    ['an address', () => put(`media/${ids.alder}`, { slug: 'now' })],
    ['the address of what it belongs to', () => put(`posts/${ids.owner}`, { slug: 'now-owner' })],
    ['what it belongs to is private', () => put(`posts/${ids.owner}`, { status: 'private' })],
    ['what it belongs to is for everybody', () => put(`posts/${ids.owner}`, { status: 'publish' })],
    ['where it belongs', () => put(`media/${ids.alder}`, { post: ids.owner })],
    ['a new one', async () => ({ status: (await uploaded(here, 'cedar', { post: ids.owner })) > 0 ? 200 : 500 })],
    ['one that is deleted', () => here.as('administrator').delete(`${core}/media/${ids.alder}?force=true`)],
    ['what they belong to is deleted', () => here.as('administrator').delete(`${core}/posts/${ids.owner}?force=true`)],
  ];
  test('whatever changes', () =>
    checkRows(steps, async ([, work]) => {
      const earlier = await seen(here, ids.post);
      await soon(() => seen(elsewhere, ids.post), earlier);
      assert.equal((await work()).status, 200);
      const now = await seen(here, ids.post);
      assert.notEqual(now, earlier);
      await soon(() => seen(elsewhere, ids.post), now);
    }));
});
