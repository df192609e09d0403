import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPaper, neutral } from '#test/paper.ts';
import type { TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { aVisitor, type Visitor } from '#test/visitor.ts';

const path = '/wp-admin/export.php';
const password = 'a quiet river';

async function signedIn(site: TestSite, role: string): Promise<Visitor> {
  await site.user({ login: `the-${role}`, roles: [role], password });
  const visitor = aVisitor(site);
  await visitor.signIn(`the-${role}`, password);
  return visitor;
}

eachEngine('The page that exports a site', (engine) => {
  test('sends everything, or what was chosen, to be saved', async () => {
    const site = await aPaper(engine);
    const post = await site.made(`${neutral}/posts`, { title: 'A post', status: 'publish' });
    const draft = await site.made(`${neutral}/posts`, { title: 'A draft' });
    const page = await site.made(`${neutral}/pages`, { title: 'A page', status: 'publish' });
    const visitor = await signedIn(site, 'administrator');
    const choices = await visitor.get(path);
    assert.match(choices.text, /href="\/wp-admin\/export\.php\?download=true&amp;content=post" download>Posts only</);

    const all = await visitor.get(`${path}?download=true&content=all`);
    assert.equal(all.status, 200);
    assert.equal(all.headers.get('content-type'), 'text/xml; charset=UTF-8');
    assert.equal(all.headers.get('content-disposition'), 'attachment; filename="riverside-school.2026-11-20.xml"');
    const numbers = ({ text }: { text: string }) =>
      [...text.matchAll(/<wp:post_id>(\d+)</g)].map(([, number]) => Number(number));
    assert.deepEqual(numbers(all), [post.id, draft.id, page.id]);
    assert.match(all.text, /<\/channel>\n<\/rss>\n$/);
    for (const [query, ids] of [
      ['content=page', [page.id]],
      ['content=post&status=draft&author=0&cat=0&start_date=0&end_date=0', [draft.id]],
      [`author=${post.author}&cat=${post.categories[0]}&status=publish`, [post.id]],
      ['author=999999', []],
      ['start_date=2026-11&end_date=2026-11', [post.id, draft.id, page.id]],
      ['start_date=2026-12', []],
    ] as const) {
      const asked = () => visitor.get(`${path}?download=true&${query}`);
      let sent = await asked();
      // Two are made at a time, and those before may be ending still.
      await soon(async () => {
        if (sent.status === 503) sent = await asked();
        return sent.status;
      }, 200);
      assert.deepEqual(numbers(sent), ids, query);
    }
  });

  test('keeps what it sends to itself', async () => {
    const site = await aPaper(engine);
    const { headers } = await (await signedIn(site, 'administrator')).get(`${path}?download=true`);
    for (const [name, value] of Object.entries({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    }))
      assert.equal(headers.get(name), value, name);
    assert.equal(headers.get('access-control-allow-origin'), null);
  });

  test('is for nobody who may not', async () => {
    const site = await aPaper(engine);
    const stranger = await aVisitor(site).get(`${path}?download=true`);
    assert.deepEqual([stranger.status, stranger.to], [302, `/login?redirect_to=${encodeURIComponent(path)}`]);
    const editor = await (await signedIn(site, 'editor')).get(`${path}?download=true`);
    assert.equal(editor.status, 403);
    assert.match(editor.text, /Your account cannot export the content of this site/);
    assert.equal((await site.as('administrator').get(`${path}?download=true`)).status, 302, 'nor without a session');
  });

  test('says what it does not know', async () => {
    const visitor = await signedIn(await aPaper(engine), 'administrator');
    for (const query of [
      'content=nothing',
      'status=auto-draft',
      'start_date=2026-13',
      'author=ada',
      'cat=-1',
      'author=1e3',
    ])
      assert.equal((await visitor.get(`${path}?download=true&${query}`)).status, 400, query);
  });

  test('is free again once somebody has read it, stopped reading or only looked', async () => {
    const site = await aPaper(engine);
    const visitor = await signedIn(site, 'administrator');
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const ask = (method: string) => fetch(`${site.origin}${path}?download=true`, { method, headers: { cookie } });
    const head = await ask('HEAD');
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/xml; charset=UTF-8']);
    await (await ask('GET')).body!.cancel();
    let last = await ask('GET');
    const again = async (): Promise<number> => {
      if (last.status === 503) last = await ask('GET');
      return last.status;
    };
    await soon(again, 200);
    assert.match(await last.text(), /<\/rss>\n$/);
    // The last bytes arrive before the site has closed the answer.
    await soon(async () => (await ask('GET')).status, 200);
  });
});
