// How far an import is, and which files did not come: what a person sees while they wait, and afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { second } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { importPath, moved, sendExport, signedIn } from '#test/import-page.ts';
import { aPaper } from '#test/paper.ts';
import { aRemote } from '#test/remote.ts';
import { soon } from '#test/soon.ts';
import { exportOf, item } from '#test/wxr.ts';

/** So many records are written together. */
const together = 200;
const words = 'Once upon a time. '.repeat(50);

eachEngine('An import that takes a while', (engine) => {
  test('shows a bar that grows, and afterwards the files that failed in a group for each reason', async () => {
    const gates = ['first', 'second'].map(() => Promise.withResolvers<void>());
    const begun: string[] = [];
    const remote = await aRemote(async ({ url = '' }, response) => {
      begun.push(url);
      await gates[Number(/held-(\d)/.exec(url)?.[1])]?.promise;
      response.writeHead(/lost/.test(url) ? 404 : 500).end();
    });
    engine.atEnd(() => remote.close());
    const site = await aPaper(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host } });
    const visitor = await signedIn(site);
    const file = (name: string): string =>
      item({ title: name, 'wp:post_type': 'attachment', 'wp:attachment_url': `${remote.url}/uploads/${name}.png` });
    const posts = (from: number): string[] =>
      Array.from({ length: together }, (_, at) => item({ title: `Post ${from + at}`, 'content:encoded': words }));
    const unnamed = item({ title: 'No place', 'wp:post_type': 'attachment' });
    const all = [file('held-0'), ...posts(0), file('held-1'), ...posts(together), file('lost'), unnamed];
    await sendExport(visitor, exportOf(...all), { authors: 'mine', fetch: '1' });

    await soon(async () => begun.length, 1);
    const early = await visitor.get(importPath);
    assert.equal(early.headers.get('refresh'), '3');
    assert.match(early.text, /“<bdi>old\.xml<\/bdi>” is being imported\. You can leave this page/);
    assert.match(early.text, /<label for="progress">Progress<\/label> <progress id="progress" max="100"><\/progress>/);
    await pause(1.1 * second); // progress is written once a second
    gates[0]!.resolve();

    await soon(async () => begun.length, 2);
    const later = await visitor.get(importPath);
    const [, value = ''] = /<progress id="progress" max="100" value="(\d+)">/.exec(later.text) ?? [];
    assert.ok(Number(value) > 0 && Number(value) <= 100, later.text);
    assert.match(later.text, new RegExp(`is being imported: ${value} % read`));
    gates[1]!.resolve();

    await moved(site);
    const { text, headers } = await visitor.get(importPath);
    assert.equal(headers.get('refresh'), null);
    assert.doesNotMatch(text, /<progress/);
    const groups = [...text.matchAll(/<details><summary><span>(.*?)<\/span><\/summary>(.*?)<\/details>/gs)];
    assert.deepEqual(
      groups.map(([, reason, files]) => [reason, files!.match(/http:\S+?\.png|No place/g)]),
      [
        [
          '2 files: The other server answered with an error (500).',
          ['held-0', 'held-1'].map((name) => `${remote.url}/uploads/${name}.png`),
        ],
        ['1 file: The other server answered with an error (404).', [`${remote.url}/uploads/lost.png`]],
        ['1 file: It has no URL of its file.', ['No place']],
      ],
    );
    assert.match(text, /<th scope="row">attachment<\/th><td>0<\/td><td>1<\/td><td>3<\/td>/);
  });
});
