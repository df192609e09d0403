import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { ordered, testDataOf } from '#test/test-data.ts';
import { core } from '../../core/extension.ts';
import { testData } from '../extension.ts';

eachEngine('posts that are made with pictures', (engine) => {
  test('have one of them each; what is no picture by now is passed over', async () => {
    const site = await aSite(engine, { extensions: [core, testData] });
    const editor = site.as('editor');
    const pictures = (await ordered(editor, 'attachments', { quantity: 2, width: 60 })).body.data.ids;
    const { orders, makers } = testDataOf(site);
    const maker = makers.atTheMachine(await site.user({ login: 'grace', roles: ['editor'] }));
    const shownWith = async (featured_ids: readonly number[]): Promise<number[]> => {
      const order = { post_type: 'post', post_status: 'publish', quantity: 8, seed: 'shown', featured_ids };
      const { data } = await orders.generate('posts', order, maker);
      const { body } = await site.get(`/api/core/v2/posts?include=${data.ids}&orderby=include`);
      return body.map((post: { featured_media: number }) => post.featured_media);
    };
    const shown = await shownWith(pictures);
    assert.equal(shown.length, 8);
    assert.deepEqual(new Set(shown), new Set(pictures));
    await editor.delete(`/api/core/v2/media/${pictures[1]}?force=true`);
    const [page] = (await ordered(editor, 'posts', { quantity: 1, post_type: 'page' })).body.data.ids;
    assert.deepEqual(new Set(await shownWith([pictures[1], page])), new Set([0]));
  });

  test('cannot be told which, over the interface', async () => {
    const site = await aSite(engine, { extensions: [core, testData] });
    const editor = site.as('editor');
    const [picture] = (await ordered(editor, 'attachments', { quantity: 1, width: 60 })).body.data.ids;
    const { body } = await ordered(editor, 'posts', { quantity: 1, featured_ids: [picture] });
    assert.equal((await site.get(`/api/core/v2/posts/${body.data.ids[0]}`)).body.featured_media, 0);
  });
});
