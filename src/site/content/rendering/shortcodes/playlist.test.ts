import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

/** As much of a sound as its kind is known by. */
const sound = Buffer.concat([Buffer.from('ID3\u0003\0\0\0\0\0\0', 'latin1'), Buffer.alloc(512)]);

eachEngine('A playlist', (engine) => {
  test('is a list of players with their titles', async () => {
    const site = await aSite(engine);
    const { status, body: song, text } = await send(site, 'administrator', 'song.mp3', sound);
    assert.equal(status, 201, text);
    const content = `[playlist ids="${song.id}"][playlist ids="${song.id}" type=video]`;
    const { body } = await site.as('administrator').post('/api/core/v2/posts', { title: 'T', content });
    const url = song.source_url;
    assert.equal(
      body.content.rendered,
      '<p><ol class="wp-playlist wp-audio-playlist">\n<li class="wp-playlist-item"><span class="wp-playlist-item-title">song</span> ' +
        `<audio class="wp-audio-shortcode" id="audio-${body.id}-1" preload="none" style="width: 100%;" controls="controls">` +
        `<source type="audio/mpeg" src="${url}?_=1" /><a href="${url}">${url}</a></audio></li>\n</ol>\n</p>\n`,
    );
  });
});
