// Commands that owner.md and developing.md show do what the pages say, as they stand there, against a site that serves.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { start } from '#test/gatehouse.ts';
import { needs } from '#test/needs.ts';
import { basicOf } from '#test/people.ts';
import { noisy } from '#test/pictures.ts';
import { aSitePlace } from '#test/serving.ts';
import { soon } from '#test/soon.ts';
import { answersTo, blocks, written } from './handbook.ts';

const root = join(import.meta.dirname, '..');
const can = spawnSync('curl', ['--version']).status === 0;

describe('the owner is told', () => {
  const engine = testEngine('sqlite');

  needs(can, 'curl', 'how to do what comes up, and every line does it', async () => {
    const place = await aSitePlace(engine);
    const { origin } = await place.serve();
    const picture = join(place.data, 'garden.jpg');
    writeFileSync(picture, await noisy(400, 300));
    const page = written('owner.md');
    const [first = '', ...lines] = blocks('sh', page);
    const getting = first.replace('http://localhost:8080', origin);
    const told = async (...some: string[]) => {
      const script = [getting, ...some].join('\n').replace('garden.jpg', picture);
      const answers = await answersTo(script, place);
      assert.deepEqual(
        answers.filter(({ code: refused }) => refused !== undefined),
        [],
        JSON.stringify(answers),
      );
      return answers;
    };

    const said = await told(...lines);
    const of = (name: string) => said.map((one) => one[name]).filter((value) => value !== undefined);
    assert.deepEqual(of('status'), ['publish', 'future', 'trash', 'publish']);
    assert.deepEqual(
      of('title').map((title) => title.rendered ?? title),
      ['Hillside School', 'Summer fair on Sunday'],
    );
    assert.deepEqual([of('email'), of('roles')], [['office@example.org'], [['editor']]]);
    assert.deepEqual([of('categories')[0].length, of('featured_media')[0] > 0], [1, true]);
    const [about] = of('link');
    assert.match(await (await fetch(about.replace(/^https?:\/\/[^/]+/, origin))).text(), /Who we are\./);

    assert.match(
      await (await fetch(`${origin}/`)).text(),
      /<nav aria-label="Site">[^§]*<a href="\/about-us\/">About us</,
    );

    const [post] = await told('ask "$api/posts?per_page=1&_fields=id"').then(([list]) => list);
    const [opening = '', talk = ''] = blocks('sh visitors', page);
    const env = { ...place.env, GATEHOUSE_DATA: place.data };
    const opened = await start('sh', ['-c', opening], env, root).ended;
    assert.equal(opened.code, 0, opened.err);
    const spoken = async (): Promise<string> =>
      (await start('sh', ['-c', [getting, `post=${post.id}`, talk].join('\n')], env, root).ended).out.trim();
    // Until the site has read its new setting, it refuses comments.
    await soon(spoken, '{"id":1}');
    const judged = await told(...blocks('sh comment', page));
    assert.deepEqual(judged, [
      { id: 1, status: 'approved' },
      { id: 1, status: 'spam' },
      { id: 1, status: 'trash' },
    ]);
  });
});

describe('the developer is told', () => {
  const engine = testEngine('sqlite');

  needs(can, 'curl', 'what can be asked, and gets it so', async () => {
    const place = await aSitePlace(engine);
    const { origin } = await place.serve();
    const { out: password } = await place.run('app-password', 'create', 'admin', '--name', 'test');
    const headers = { authorization: basicOf('admin', password.trim()), 'content-type': 'application/json' };
    for (const title of ['One', 'Two'])
      await fetch(`${origin}/api/core/v2/posts`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title, status: 'publish' }),
      });
    const script = blocks('sh', written('developing.md'))
      .join('')
      .replaceAll(/^curl .*$/gm, (line) => `${line}; echo`)
      .replace('http://localhost:8080', origin);
    const { code, out, err } = await start('sh', ['-c', script], { password: password.trim() }).ended;
    assert.equal(code, 0, err);
    const [classic = '', neutral = ''] = out.split('\n');
    assert.deepEqual(JSON.parse(classic), JSON.parse(neutral));
    assert.match(out, /^X-WP-TotalPages: 2\r$/m);
    assert.match(out, /rel="next"/);
    assert.match(out, /"_embedded":\{"author":\[\{/);
    assert.match(out, /\{"body":\[\{.*"status":200,"headers":\{"X-WP-Total":2/);
    assert.match(out, /"code":"rest_post_invalid_id"/);
    assert.match(out, /"code":"rest_invalid_param"/);
    assert.match(out, /"name":"content\/find","label":"Find content"/);
    assert.match(out, /\[\{"id":\d+,"type":"post","status":"publish",/);
    assert.match(out, /"edit_link":"http:[^"]*posts\\?\/\d+\?context=edit"/);
    assert.match(out, /"status":"good",.*"test":"database"/);
    const [fill = ''] = blocks('sh seed', written('developing.md'));
    const filled = await start('sh', ['-c', fill], { ...place.env, GATEHOUSE_DATA: place.data }, root).ended;
    assert.equal(filled.code, 0, filled.err);
    assert.match(filled.out, /^posts +100$[^§]*^Deleted: 125 posts, pages and pictures; 300 comments;/m);
    const late = await (await fetch(`${origin}/api/core/v2/posts?page=9`)).json();
    assert.equal((late as { code: string }).code, 'rest_post_invalid_page_number');
  });
});
