// What is not for everybody is not on the public site: neither on its page, nor in lists, feeds, maps and links.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { day } from '#lib/spans.ts';
import { commentRows } from '#test/comment-rows.ts';
import { eachEngine } from '#test/databases.ts';
import { type Made, pathOf, published, upload } from '#test/published.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';
import { aVisitor } from '#test/visitor.ts';

const secret = 'Quillfeather';
const password = 'a quiet river';

eachEngine('What the public site hides', (engine) => {
  let site: TestSite;
  let all: Awaited<ReturnType<typeof published>>;
  const hidden: Made[] = [];
  let closed: Made;

  before(async () => {
    site = await aSite(engine);
    all = await published(site);
    const about = { title: secret, content: `${secret} says so.`, comment_status: 'open' };
    for (const status of ['draft', 'pending', 'private']) {
      hidden.push(await all.make('posts', { ...about, status, categories: [all.bed.id] }));
      hidden.push(await all.make('pages', { ...about, status }));
    }
    hidden.push(await all.make('posts', { ...about, status: 'future', date: '2027-01-01T00:00:00' }));
    const trashed = await all.make('posts', { ...about, status: 'publish' });
    await site.as('administrator').delete(`/api/core/v2/posts/${trashed.id}`);
    hidden.push(trashed);
    hidden.push(await all.make('blocks', { title: secret, content: secret, status: 'publish' }));
    const file = await upload(site, 'hidden');
    const host = hidden.find(({ status, type }) => status === 'private' && type === 'post');
    hidden.push(await all.make(`media/${file.id}`, { post: host.id, title: secret, caption: secret }));
    closed = await all.make('posts', {
      ...about,
      title: 'Closed',
      status: 'publish',
      password: 'open it',
      excerpt: secret,
      featured_media: all.picture.id,
    });
    await all.make('comments', { post: closed.id, content: `${secret} they said.` });
    await commentRows(site.app.services.store, 1, () => ({
      post_id: closed.id,
      type: 'pingback',
      author_name: secret,
    }));
    const visible = await all.make('comments', { post: all.post.id, content: `${secret} waits.` });
    await all.make(`comments/${visible.id}`, { status: 'hold' });
  });

  const at = (url: string): string => pathOf(site, url);

  test('is missing at each of its addresses', async () => {
    for (const { id, link, type, status } of hidden) {
      for (const path of [
        at(link),
        `/?p=${id}`,
        `/?page_id=${id}`,
        `/?attachment_id=${id}`,
        `/?p=${id}&preview=true`,
      ]) {
        const answer = await site.get(path);
        assert.equal(answer.status, 404, `${type} ${status} ${path}`);
        assert.doesNotMatch(answer.text, new RegExp(secret), path);
      }
    }
  });

  test('is told nowhere else', async () => {
    const paths = [
      ...['/', '/page/2/', '/?s=Quill', '/feed/', '/comments/feed/', '/sitemap.xml', '/sitemap-post-1.xml'],
      ...[
        '/sitemap-page-1.xml',
        '/2026/',
        '/2026/11/',
        '/author/ada/',
        at(all.school.link),
        `${at(all.bed.link)}feed/`,
      ],
      ...[at(all.post.link), at(all.about.link), `${at(all.post.link)}feed/`, `${at(all.post.link)}embed/`],
      ...[
        at(closed.link),
        `${at(closed.link)}feed/`,
        `${at(closed.link)}embed/`,
        '/wp-content/',
        '/blocks/',
        '/robots.txt',
      ],
    ];
    for (const path of paths) {
      const { status, text } = await site.get(path);
      assert.ok(status === 200 || status === 404, `${path} ${status}`);
      // What somebody searches for is said back to them.
      assert.doesNotMatch(text.replaceAll('“Quill”', ''), new RegExp(secret), path);
    }
  });

  test('but for what is closed by a password: of that only the title is shown', async () => {
    const { text, headers } = await site.get(at(closed.link));
    assert.match(text, /<h1>Closed<\/h1>/);
    assert.match(text, /name="post_password"/);
    assert.doesNotMatch(text, /garden\.jpg|oembed|name="description"|Mentioned/);
    assert.doesNotMatch(text, /closed\/feed\//, 'no feed is named where there is none');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('etag'), null);
    assert.match((await site.get('/')).text, /Enter the password to read this/);
    assert.match((await site.get('/feed/')).text, /Enter the password on the site to read this/);
    assert.doesNotMatch((await site.get('/sitemap-post-1.xml')).text, /closed/);
    for (const more of ['feed/', 'embed/'])
      assert.equal((await site.get(`${at(closed.link)}${more}`)).status, 404, more);
  });

  test('authors who published nothing are nobody, whatever they are called', async () => {
    const { id } = await site.user({ login: 'silent', slug: 'silent', name: 'Silent', roles: ['author'] });
    for (const path of ['/author/silent/', `/?author=${id}`, '/author/silent/feed/'])
      assert.equal((await site.get(path)).status, 404, path);
    assert.doesNotMatch((await site.get('/sitemap-author-1.xml')).text, /silent/);
    assert.doesNotMatch((await site.get('/author/ada/')).text, /ada-signs-in/);
  });

  test('the address of a private record is missing also for whoever may read it, but for the link of its editor', async () => {
    const writer = await site.user({ login: 'editing', roles: ['editor'], password });
    const visitor = aVisitor(site);
    await visitor.signIn('editing', password);
    const token = (await visitor.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text;
    const draft = await site.asUser(writer).post('/api/core/v2/posts', { title: 'Mine', content: 'Unfinished.' });
    const saved = await visitor.post(
      `/wp-json/wp/v2/posts/${draft.body.id}/autosaves`,
      JSON.stringify({ content: 'Newer.' }),
      {
        'x-wp-nonce': token,
        'content-type': 'application/json',
      },
    );
    const link = at(JSON.parse(saved.text).preview_link);
    const shown = await visitor.get(link);
    assert.equal(shown.status, 200, shown.text);
    assert.match(shown.text, /Newer\./);
    assert.equal(shown.text.match(/application\/rss\+xml/g)?.length, 2, 'the feeds of the site alone');
    assert.deepEqual([shown.headers.get('cache-control'), shown.headers.get('x-robots-tag')], ['no-store', 'noindex']);
    assert.equal((await site.get(link)).status, 404, 'without the session');
    const other = aVisitor(site);
    await site.user({ login: 'other', roles: ['editor'], password });
    await other.signIn('other', password);
    assert.equal((await other.get(link)).status, 404, 'of somebody else');
    assert.equal((await visitor.get(link.replace(/preview_nonce=[^&]*/, 'preview_nonce=x'))).status, 404);
    assert.equal((await visitor.get(link.replace(/preview_id=\d+/, `preview_id=${hidden[0].id}`))).status, 404);
    const open = `${at(all.post.link)}${link.slice(link.indexOf('?')).replace('?p=', '?x=')}`;
    assert.match((await site.get(open)).text, /The garden is/, 'what is published is there for everybody');
    await site.app.services.identity.users.change(writer, { roles: ['subscriber'] });
    assert.equal((await visitor.get(link)).status, 404, 'once they may not edit it any more');
  });
});

eachEngine('A password of a post', (engine) => {
  test('opens it for ten days, and what else it closes', async () => {
    const site = await aSite(engine);
    const { make } = await published(site);
    const closed = async (title: string, password: string): Promise<string> => {
      const { link } = await make('posts', { title, content: `Inside of ${title}.`, status: 'publish', password });
      return pathOf(site, link);
    };
    const [one, twin, other] = [
      await closed('One', 'öpen it'),
      await closed('Twin', 'öpen it'),
      await closed('Other', 'else'),
    ];
    const visitor = aVisitor(site);
    const sent = await visitor.post('/wp-login.php?action=postpass', { post_password: 'öpen it', redirect_to: one });
    assert.deepEqual([sent.status, sent.to], [303, one]);
    const [cookie = ''] = sent.given;
    assert.match(cookie, /^site_opened=[\da-f]{64}; Path=\/; Max-Age=864000; HttpOnly; SameSite=Lax$/);
    const open = await visitor.get(one);
    assert.match(open.text, /Inside of One/);
    assert.equal(open.headers.get('cache-control'), 'no-store');
    assert.match((await visitor.get(twin)).text, /Inside of Twin/);
    assert.doesNotMatch((await visitor.get(other)).text, /Inside of Other/);
    assert.doesNotMatch((await aVisitor(site).get(one)).text, /Inside of One/, 'for nobody else');
    await visitor.post('/login?action=postpass', { post_password: 'else', redirect_to: other });
    assert.match((await visitor.get(other)).text, /Inside of Other/);
    assert.match((await visitor.get(one)).text, /Inside of One/, 'still');
    await site.app.services.sessionKey.renew();
    assert.doesNotMatch((await visitor.get(one)).text, /Inside of One/, 'with new keys no cookie opens anything');
    const id = (await site.get('/api/core/v2/posts?search=Inside&_fields=id')).body;
    assert.deepEqual(id, [], 'the interface knows nothing of it');
  });

  test('that is wrong asks again, and opens nothing; nor does a cookie that nobody gave', async () => {
    const site = await aSite(engine);
    const { make } = await published(site);
    const { link } = await make('posts', { title: 'One', content: 'Inside.', status: 'publish', password: 'right' });
    const path = pathOf(site, link);
    const visitor = aVisitor(site);
    const wrong = await visitor.post('/wp-login.php?action=postpass', { post_password: 'wrong', redirect_to: link });
    assert.deepEqual([wrong.status, wrong.given], [200, []]);
    assert.match(wrong.text, /The password is wrong/);
    assert.doesNotMatch(wrong.text, /Inside|value="wrong"/);
    for (const value of ['right', '', 'x'.repeat(64), '0'.repeat(64), `${'0'.repeat(64)}.`.repeat(50)]) {
      const { text } = await aVisitor(site, { cookie: `site_opened=${value}` }).get(path);
      assert.doesNotMatch(text, /Inside/);
    }
    const away = await visitor.post('/wp-login.php?action=postpass', {
      post_password: 'right',
      redirect_to: 'https://evil.test/',
    });
    assert.equal(away.to, '/', 'never to another host');
    const forged = await aVisitor(site).post(
      '/wp-login.php?action=postpass',
      { post_password: 'right' },
      { 'sec-fetch-site': 'cross-site' },
    );
    assert.equal(forged.status, 403);
    assert.equal((await visitor.get('/wp-login.php?action=postpass&post_password=right')).given.length, 0);
  });

  test('is tried at what it closes: nowhere else is a word given a cookie, and no cookie opens for longer', async () => {
    let now = noon;
    const site = await aSite(engine, { clock: () => now });
    const { make, post } = await published(site);
    const closed = async (title: string, word: string): Promise<Made> =>
      make('posts', { title, content: `Inside of ${title}.<!--nextpage-->More.`, status: 'publish', password: word });
    const one = await closed('One', 'right');
    const path = pathOf(site, one.link);
    const tryAt = (to: string, word: string) =>
      aVisitor(site).post('/wp-login.php?action=postpass', { post_password: word, redirect_to: to });
    for (const to of ['/', '/nothing/', pathOf(site, post.link), '/?s=garden', '/login', `/?p=${post.id}`]) {
      const { status, given } = await tryAt(to, 'right');
      assert.deepEqual([status, given], [303, []], to);
    }
    for (const more of ['', '2/', 'comment-page-2/', 'feed/']) {
      const wrong = await tryAt(`${path}${more}`, 'wrong');
      assert.deepEqual([wrong.status, wrong.given], [200, []], more);
      assert.equal((await tryAt(`${path}${more}`, 'right')).given.length, 1, more);
    }
    assert.equal((await tryAt(`/?p=${one.id}`, 'right')).given.length, 1);
    const [cookie = ''] = (await tryAt(path, 'right')).given;
    const sent = { cookie: cookie.split(';')[0]! };
    const opens = async (): Promise<boolean> => /Inside of One/.test((await site.get(path, sent)).text);
    for (const [days, isOpen] of [
      [0, true],
      [10, true],
      [12, false],
    ] as const) {
      now = new Date(noon.getTime() + days * day);
      assert.equal(await opens(), isOpen, `after ${days} days`);
    }
  });
});
