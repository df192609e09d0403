// The pages that readers find, each as they find it. The tests look at them, and so do the pictures in docs/.
import type { BrowserContext } from 'playwright-core';
import sharp from 'sharp';
import { at } from './media-folders.ts';
import { makerOf, pathOf, published, upload } from './published.ts';
import type { Scene, Stage } from './scenes.ts';
import type { TestSite } from './site.ts';

/** What is asked of the public address, pictures above all, is answered by the site of the stage. */
export const atItsAddress = (context: BrowserContext, { config, origin }: TestSite): Promise<unknown> =>
  context.route(`${config.url}/**`, async (route) => {
    const url = `${origin}${route.request().url().slice(config.url.length)}`;
    await route.fulfill({ response: await route.fetch({ url }) });
  });

/** Opens what this finds on a site with something of everything on it. */
const onSite =
  (find: (stage: Stage) => Promise<string>): Scene['play'] =>
  async (stage) => {
    const url = await find(stage);
    await atItsAddress(stage.page.context(), stage.site);
    await stage.page.goto(`${stage.site.origin}${pathOf(stage.site, url)}`);
  };

async function fill({ site }: Stage) {
  const all = await published(site);
  const { make, post } = all;
  await make('settings', { description: 'News from the river' });
  const cake = await make('posts', {
    title: 'A cake for everybody',
    content: 'We baked on Friday. Thank you to all who brought eggs, flour and time.',
    status: 'publish',
    author: all.user.id,
    date: '2026-11-12T08:00:00',
  });
  await make('posts', { title: 'For parents', content: 'x', status: 'publish', password: 'secret' });
  const first = await make('comments', { post: post.id, content: 'What a lovely place. See www.example.org.' });
  const answer = await make('comments', { post: post.id, parent: first.id, content: 'Thank you!' });
  await make('comments', { post: post.id, parent: answer.id, content: 'When is it open?' });
  await make(`posts/${post.id}`, { featured_media: (await upload(site, 'beds', [1600, 700])).id });
  return { ...all, cake };
}

const long = (site: Stage['site']) =>
  makerOf(site)('posts', {
    title: 'Three walks',
    content: [
      '<h2>By the river</h2><p>Out and back.</p><table><tr><th>Day</th><td>Friday</td></tr></table><pre>a line of code</pre>',
      '<p>Over the hill.</p><ul><li>Boots</li><li>Bread</li></ul><blockquote><p>Go early.</p></blockquote>',
      '<p>Home.</p>',
    ].join('<!--nextpage-->'),
    status: 'publish',
  });

/** The sky, the sun and the hill of each picture, and its caption. */
const landscapes = [
  [0xf7d9a0, 0xf2994a, 0x5b7f4b, 'Games on the meadow'],
  [0xbfe3f2, 0xfff3c4, 0x3f7d6b, 'The choir by the river'],
  [0xf4c7c3, 0xe8604c, 0x6d4c5e, 'Cakes at sunset'],
  [0xdfe7d3, 0xffd166, 0x8aa05a, 'Painting the wall'],
  [0xc9d6f2, 0xffffff, 0x4d648d, 'Rain at noon'],
  [0xfde2b8, 0xf76c5e, 0xa0693f, 'The last dance'],
] as const;

function drawLandscape([sky, sun, hill]: (typeof landscapes)[number], at: number): Promise<Buffer> {
  const [width, height] = [800, 600];
  const data = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const isHill = y > 420 - 70 * Math.sin(x / 180 + at);
    const isSun = (x - 150 - at * 100) ** 2 + (y - 180) ** 2 < 80 ** 2;
    data.writeUIntBE(isHill ? hill : isSun ? sun : sky, pixel * 3, 3);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

/** A post that shows a folder. */
async function fair({ site }: Stage): Promise<string> {
  const make = makerOf(site);
  const admin = site.as('administrator');
  const { body } = await admin.post(`${at}/new-folder`, { title: 'Summer fair', parent: 0 });
  for (const [number, landscape] of landscapes.entries()) {
    const caption = landscape[3];
    const sent = await admin.request('POST', `/api/core/v2/media?mf_folder=${body[0].id}`, {
      body: new Uint8Array(await drawLandscape(landscape, number)),
      headers: { 'content-type': 'image/jpeg', 'content-disposition': `attachment; filename=fair-${number}.jpg` },
    });
    await make(`media/${sent.body.id}`, { caption, alt_text: caption });
  }
  const block = { selectedFolder: [body[0].id], hasCaption: true, spaceAroundImage: 12, linkTo: 'media' };
  const content = `<p>Thank you to all who helped.</p>\n<!-- wp:media-folders/gallery ${JSON.stringify(block)} /-->`;
  return (await make('posts', { title: 'The summer fair', content, status: 'publish' })).link;
}

export const publicScenes: readonly Scene[] = [
  {
    name: 'front',
    about: 'The front page: the newest posts and the navigation.',
    play: onSite(async (stage) => `${(await fill(stage)) && stage.site.config.url}/`),
  },
  {
    name: 'post',
    about: 'A post with its picture, categories, tags and comments.',
    play: onSite(async (stage) => (await fill(stage)).post.link),
  },
  {
    name: 'folder-gallery',
    about: 'A post that shows the pictures of a media folder.',
    play: onSite(fair),
  },
  { name: 'page', play: onSite(async (stage) => (await fill(stage)).people.link) },
  { name: 'page-above', play: onSite(async (stage) => (await fill(stage)).about.link) },
  { name: 'parts', play: onSite(async (stage) => `${(await long(stage.site)).link}2/`) },
  { name: 'picture', play: onSite(async (stage) => (await fill(stage)).picture.link) },
  { name: 'archive', play: onSite(async (stage) => (await fill(stage)).school.link) },
  {
    name: 'search',
    play: onSite(async (stage) => `${(await fill(stage)) && stage.site.config.url}/?s=garden`),
  },
  {
    name: 'closed',
    about: 'A post that needs a password.',
    play: onSite(async (stage) => {
      await fill(stage);
      const { body } = await stage.site.get('/api/core/v2/posts?slug=for-parents');
      return body[0].link;
    }),
  },
  {
    name: 'closed-refused',
    play: async (stage) => {
      await publicScenes.find(({ name }) => name === 'closed')!.play(stage);
      await stage.page.getByLabel('Password').fill('wrong');
      await stage.page.getByRole('button', { name: 'Open' }).click();
      await stage.page.getByText('The password is wrong').waitFor();
    },
  },
  { name: 'embedded', play: onSite(async (stage) => `${(await fill(stage)).post.link}embed/`) },
];
