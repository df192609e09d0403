// The pages that readers find, each as they find it. The tests look at them, and so do the pictures in docs/.
import type { BrowserContext } from 'playwright-core';
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

export const publicScenes: readonly Scene[] = [
  {
    name: 'front',
    about: 'The front page: the newest posts, and the way through the site.',
    play: onSite(async (stage) => `${(await fill(stage)) && stage.site.config.url}/`),
  },
  {
    name: 'post',
    about: 'A post with its picture, what it is sorted by, and what was said about it.',
    play: onSite(async (stage) => (await fill(stage)).post.link),
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
    about: 'A post behind a password.',
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
