// A site is filled while it serves, looked at, worked on, and emptied again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import type { Ended } from '#test/gatehouse.ts';
import { aSitePlace } from '#test/serving.ts';
import { soon } from '#test/soon.ts';

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

const amounts = ['--terms', '5', '--users', '3', '--media', '3', '--pages', '2', '--posts', '12', '--comments', '30'];

eachEngine('A site that is tried out', (engine) => {
  test('shows test data as soon as it is made, keeps what is real, and is the same again by the same seed', async () => {
    const { serve, run } = await aSitePlace(engine);
    const { origin } = await serve({ GATEHOUSE_ALLOW_INSECURE_CREDENTIALS: 'on' });
    const password = fine(await run('app-password', 'create', 'admin', '--name', 'test')).trim();
    const headers = {
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    };
    const api = `${origin}/api/core/v2`;
    // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects of it.
    const shown = async (path: string): Promise<any> => (await fetch(`${api}/${path}`)).json();
    const howMany = async (path: string) => Number((await fetch(`${api}/${path}`)).headers.get('x-wp-total'));
    const front = async () => (await fetch(`${origin}/`)).text();
    const add = async (path: string, body: object): Promise<{ id: number }> =>
      (await fetch(`${api}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json() as never;
    const fields = '_fields=title,slug,date,content,excerpt,comment_status';
    const texts = () => shown(`posts?orderby=date&order=asc&per_page=100&${fields}`);

    const before = await front();
    assert.equal(await howMany('posts'), 0);
    fine(await run('seed', '--seed', 'spring', ...amounts));
    await soon(() => howMany('posts'), 12);
    const first = await texts();
    await soon(async () => (await front()).includes(first.at(-1).title.rendered), true);
    const page = await front();
    const [, picture = ''] = /<img[^>]* src="([^"]+)"/.exec(page) ?? [];
    const file = await fetch(new URL(new URL(picture).pathname, origin));
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/jpeg']);
    const posts = await shown('posts?per_page=100');
    assert.ok(posts.every((post: { featured_media: number }) => post.featured_media > 0));
    assert.deepEqual([await howMany('pages'), await howMany('comments'), await howMany('media')], [2, 27, 3]);

    const commented = posts.find((post: { comment_status: string }) => post.comment_status === 'open');
    const real = await add('posts', { title: 'A real one', status: 'publish', author: commented.author });
    const comment = await add('comments', { post: commented.id, content: 'Who wrote this?' });
    fine(await run('seed', '--seed', 'autumn', '--yes', ...amounts));
    const removing = await run('seed', '--remove', '--yes');
    assert.match(
      fine(removing),
      /^Deleted: 33 posts, pages and pictures; 60 comments; 10 categories and tags; 5 users\.$/m,
    );
    assert.match(
      removing.err,
      new RegExp(`^Kept: post ${commented.id}, ".*"\\. It has a real or changed comment`, 'm'),
    );
    assert.match(
      removing.err,
      new RegExp(`^Kept: user ${commented.author}, "[^"]*"\\. This user is the author of content that is kept`, 'm'),
    );
    await soon(() => howMany('posts'), 2);
    assert.equal((await shown(`comments/${comment.id}`)).post, commented.id);
    assert.equal((await fetch(file.url)).status, 404);

    for (const { id } of [commented, real]) await fetch(`${api}/posts/${id}?force=true`, { method: 'DELETE', headers });
    assert.match(fine(await run('seed', '--remove', '--yes')), /^Deleted: 1 user\.$/m);
    await soon(front, before);
    fine(await run('seed', '--seed', 'spring', ...amounts));
    await soon(() => howMany('posts'), 12);
    assert.deepEqual(await texts(), first);
  });
});
