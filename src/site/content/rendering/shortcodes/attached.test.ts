import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

/** As much of a sound as its kind is known by. */
const sound = Buffer.concat([Buffer.from('ID3\u0003\0\0\0\0\0\0', 'latin1'), Buffer.alloc(512)]);
const posts = '/api/core/v2/posts';

eachEngine('A player that names no file', (engine) => {
  let site: TestSite;
  before(async () => {
    site = await aSite(engine);
  });
  const written = async (content: string): Promise<number> =>
    (await site.as('administrator').post(posts, { title: 'T', content, status: 'publish' })).body.id;
  const shown = async (id: number): Promise<string> => (await site.get(`${posts}/${id}`)).body.content.rendered;
  const attach = async (id: number, name: string): Promise<{ id: number; url: string }> => {
    const { status, body, text } = await send(site, 'administrator', name, sound, `?post=${id}`);
    assert.equal(status, 201, text);
    return { id: body.id, url: body.source_url };
  };
  const sources = (html: string): string[] => [...html.matchAll(/<source [^>]*src="([^"]*)"/g)].map(([, url]) => url!);

  test('plays what is attached to its record, from when it is and until it is not', async () => {
    const id = await written('[audio loop="on"]');
    assert.equal((await shown(id)).trim(), '');
    const { id: file, url } = await attach(id, 'song.mp3');
    assert.match(await shown(id), /<audio class="wp-audio-shortcode" id="audio-\d+-1" loop="1"/);
    assert.deepEqual(sources(await shown(id)), [`${url}?_=1`]);
    await site.as('administrator').put(`/api/core/v2/media/${file}`, { post: 0 });
    assert.equal((await shown(id)).trim(), '');
  });

  test('plays the first of several, and nothing of another kind', async () => {
    const id = await written('[video][audio]');
    const first = await attach(id, 'first.mp3');
    await attach(id, 'second.mp3');
    assert.deepEqual(sources(await shown(id)), [`${first.url}?_=1`]);
    assert.doesNotMatch(await shown(id), /<video/);
  });

  test('leaves those that name one as they are, however many there are', async () => {
    const named = Array.from({ length: 150 }, (_, at) => `[audio mp3="https://site.test/${at}.mp3"]`).join(' ');
    const id = await written(`${named} [audio src="javascript:alert(1)"] [audio]`);
    const { url } = await attach(id, 'own.mp3');
    const all = sources(await shown(id));
    assert.deepEqual([all.length, all[0], all.at(-1)], [151, 'https://site.test/0.mp3?_=1', `${url}?_=151`]);
  });
});
