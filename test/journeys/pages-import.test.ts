import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thisProcess } from '#site/platform/leases.ts';
import { withImportLease } from '#site/transfer/import/import-lease.ts';
import { eachEngine } from '#test/databases.ts';
import { importPath, moved, password, sendExport, signedIn } from '#test/import-page.ts';
import { aPaper, neutral } from '#test/paper.ts';
import type { SiteOptions, TestSite } from '#test/site.ts';
import { aside, kept } from '#test/uploads.ts';
import { aVisitor } from '#test/visitor.ts';
import { author, comment, exportOf, item } from '#test/wxr.ts';

/** Nothing else is moved in until what this answers is called. */
async function held({ app }: TestSite): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const run = async () => {
    begin();
    await promise;
  };
  await app.services.jobs.kind({ name: 'test.hold', about: 'Waits', run }).add(null, { alone: 'moving' });
  await begun;
  return resolve;
}

const old = exportOf(
  author('ada'),
  item({ title: 'Rivers', 'wp:post_id': 70, 'dc:creator': 'ada' }, comment(1)),
  item({ title: 'Lakes', 'wp:post_id': 71, 'dc:creator': 'bea' }),
  item({ title: 'Photo', 'wp:post_type': 'attachment', 'wp:attachment_url': 'https://old.example/r.png' }),
  item({ title: 'Never', 'wp:post_date': '0000-00-00 00:00:00', 'wp:post_date_gmt': '' }),
);

const aHouse = (engine: Parameters<typeof aPaper>[0], options: SiteOptions = {}) => aPaper(engine, options);

eachEngine('The page that moves a site in', (engine) => {
  test('keeps a file, has it moved in, and tells what became of it', async () => {
    const site = await aHouse(engine);
    const visitor = await signedIn(site);
    const free = await held(site);
    assert.match((await visitor.get(importPath)).text, /enctype="multipart\/form-data"/);
    const answer = await sendExport(visitor, old);
    assert.deepEqual([answer.status, answer.to], [303, importPath]);
    const waiting = await visitor.get(importPath);
    assert.match(waiting.text, /“<bdi>old\.xml<\/bdi>” is waiting to be imported/);
    assert.doesNotMatch(waiting.text, /enctype/);
    assert.equal(waiting.headers.get('refresh'), '3', 'and looks again by itself');
    assert.match(waiting.text, /href="\/account">Back to your account/);
    assert.deepEqual(aside(site), [], 'every process can read it');
    const [name] = kept(site);
    for (const address of [`/uploads/.moving/${name}`, `/wp-content/uploads/.moving/${name}`])
      assert.equal((await site.get(address)).status, 404, 'and nobody else');

    free();
    await moved(site);
    const { text, headers } = await visitor.get(importPath);
    assert.equal(headers.get('refresh'), null);
    assert.match(text, /“<bdi>old\.xml<\/bdi>” was imported/);
    assert.match(text, /<details><summary><span>1 file was not found<\/span><\/summary>\s*<ul class="list"><li>Line/);
    assert.match(text, /href="\/account">Back to your account/);
    assert.match(text, /<th scope="row">post<\/th><td>2<\/td><td>0<\/td><td>1<\/td>/);
    assert.match(text, /<th scope="row">users<\/th><td>1<\/td>/);
    assert.match(text, /Line \d+: <strong><bdi>Never<\/bdi><\/strong>: It has no valid date/);
    assert.match(text, /Files: 0 imported, 1 not found/);
    assert.match(text, /send the same file again.*<code>gatehouse import wxr FILE --uploads FOLDER<\/code>/);
    assert.match(text, /Line \d+: <strong><bdi>Photo<\/bdi><\/strong>: .*https:\/\/old\.example\/r\.png/);
    assert.match(text, /<bdi>bea<\/bdi><\/strong>: .*1 record is by this author.*the-administrator/);
    assert.match(text, /enctype/, 'and takes the next one');
    assert.equal((await site.get(`${neutral}/posts/70`)).body.title.rendered, 'Rivers');
    assert.deepEqual([kept(site), aside(site)], [[], []]);

    await sendExport(visitor, old);
    await moved(site);
    assert.match((await visitor.get(importPath)).text, /<th scope="row">post<\/th><td>0<\/td><td>2<\/td><td>1<\/td>/);
  });

  test('makes nobody where that is wished, and takes people for others where that is said', async () => {
    const site = await aHouse(engine);
    const visitor = await signedIn(site);
    const carl = await site.user({ login: 'carl', roles: ['editor'] });
    await sendExport(visitor, old, { authors: 'mine', map: ' bea = carl \r\n\r\n' });
    await moved(site);
    const people = await site.app.services.identity.users;
    assert.equal(await people.named('ada'), undefined);
    const mine = await people.named('the-administrator');
    assert.deepEqual(
      await Promise.all([70, 71].map(async (id) => (await site.get(`${neutral}/posts/${id}`)).body.author)),
      [mine?.id, carl.id],
    );
    const wrong = await sendExport(visitor, old, { map: 'carl' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /role="alert".*“carl” must be the user name there/s);
  });

  test('takes one file at a time, and none that is too large, empty or of a form that is old', async () => {
    const site = await aHouse(engine, { env: { GATEHOUSE_UPLOAD_LIMIT: '20 KiB' } });
    const visitor = await signedIn(site);
    for (const [file, fields, status, said] of [
      ['x'.repeat(21 * 1024), {}, 413, /at most 20480 bytes/],
      ['', {}, 400, /The request has no file/],
      [old, { _wpnonce: 'wrong' }, 403, /open for too long/],
      [old, { role: 'nobody' }, 403, /cannot create users with this role/],
    ] as const) {
      const { status: is, text } = await sendExport(visitor, file, fields);
      assert.equal(is, status, text);
      assert.match(text, said);
    }
    assert.deepEqual([kept(site), aside(site)], [[], []]);
    const free = await held(site);
    await sendExport(visitor, old);
    const second = await sendExport(visitor, old);
    assert.deepEqual([second.status, kept(site).length], [409, 1]);
    const [other] = await Promise.all([visitor.get(importPath), free()]);
    assert.doesNotMatch(other.text, /enctype/);
    await moved(site);
    assert.deepEqual(
      await site.app.services.jobs.list({ kind: 'moving.import', most: 9 }).then((all) => all.length),
      1,
    );
  });

  test('moves nothing in beside a command that does, and keeps commands waiting while it does', async () => {
    const site = await aHouse(engine);
    const visitor = await signedIn(site);
    const take = (work: () => Promise<unknown>) =>
      withImportLease(site.app.services, { holder: thisProcess(), what: 'https://old.example' }, work);
    await take(async () => {
      const refused = await sendExport(visitor, old);
      assert.equal(refused.status, 409);
      assert.match(refused.text, /Another import is running/);
      assert.deepEqual(kept(site), []);
    });
    const free = await held(site);
    await sendExport(visitor, old);
    const sentence = /^The uploaded file old\.xml is waiting to be imported by job \S+\. Wait/;
    await assert.rejects(
      take(async () => assert.fail()),
      { code: 'import_under_way', message: sentence },
    );
    free();
    await moved(site);
    assert.equal((await site.get(`${neutral}/posts/70`)).status, 200);
    await take(async () => {});
    const nobody = await sendExport(visitor, old, { map: 'bea = nobody' });
    assert.equal(nobody.status, 400);
    assert.match(nobody.text, /User nobody does not exist here, so records of bea cannot be assigned to this user/);
    assert.deepEqual([kept(site), aside(site)], [[], []]);
  });

  test('says of a file that is no export that it is none, at once', async () => {
    const site = await aHouse(engine);
    const visitor = await signedIn(site);
    for (const other of ['Dear site', '{"a": 1}', '<html><item></item></html>', '\u0089PNG\r\n']) {
      const { status, text } = await sendExport(visitor, other, {}, 'old.xml');
      assert.equal(status, 400, other);
      assert.match(text, /role="alert".*This is not a WXR export file/s);
      assert.match(text, /enctype/, 'and takes another');
      assert.match(text, /href="\/account">Back to your account/);
    }
    assert.doesNotMatch((await visitor.get(importPath)).text, /old\.xml/);
    assert.deepEqual([kept(site), aside(site)], [[], []]);
  });

  test('is for nobody who may not, and reads nothing of what they send', async () => {
    const site = await aHouse(engine);
    const stranger = aVisitor(site);
    const asked = await stranger.get(importPath);
    assert.deepEqual([asked.status, asked.to], [302, `/login?redirect_to=${encodeURIComponent(importPath)}`]);
    const large = 'x'.repeat(2 ** 20);
    assert.equal((await sendExport(stranger, large)).status, 302);
    const editor = await signedIn(site, 'editor');
    assert.equal((await sendExport(editor, large)).status, 403);
    assert.match((await editor.get(importPath)).text, /Your account cannot import content from another site/);
    const elsewhere = await sendExport(await signedIn(site), old, {}).then(() => signedInElsewhere(site));
    assert.equal(elsewhere, 403);
    await moved(site);
    assert.deepEqual(aside(site), []);
  });

  test('asks for rights again when the job begins: who was sent away meanwhile moves nothing in', async () => {
    const site = await aHouse(engine);
    const visitor = await signedIn(site);
    const free = await held(site);
    await sendExport(visitor, old);
    const { users } = site.app.services.identity;
    await site.user({ login: 'other', roles: ['administrator'] });
    await users.change((await users.named('the-administrator'))!, { roles: ['editor'] });
    free();
    await moved(site);
    assert.equal((await site.get(`${neutral}/posts/70`)).status, 404);
    const [job] = await site.app.services.jobs.list({ kind: 'moving.import', most: 1 });
    assert.equal(job?.status, 'failed');
    assert.match(job?.errors[0]?.message ?? '', /cannot import content/);
    assert.deepEqual(kept(site), []);
  });

  test('filters HTML of who may not write any', async () => {
    const site = await aHouse(engine, {
      deploys: ({ roles }) => ({
        roles: {
          ...roles,
          editor: {
            ...roles.editor!,
            capabilities: [...roles.editor!.capabilities.filter((one) => one !== 'unfiltered_html'), 'import'],
          },
        },
      }),
    });
    const hostile = exportOf(
      item({ title: 'Bad', 'wp:post_id': 70, 'content:encoded': '<p onclick="x()">a<script>x()</script></p>' }),
    );
    const editor = await signedIn(site, 'editor');
    assert.doesNotMatch((await editor.get(importPath)).text, /value="create"/, 'nor is asked whom to make');
    assert.equal((await sendExport(editor, hostile)).status, 403);
    await sendExport(editor, hostile, { authors: 'mine' });
    await moved(site);
    const { body } = await site.as('administrator').get(`${neutral}/posts/70?context=edit`);
    assert.doesNotMatch(body.content.raw, /onclick|<script/);
  });

  test('is found where this family has it', async () => {
    const site = await aHouse(engine);
    const at = '/wp-admin/admin.php';
    assert.equal((await aVisitor(site).get(`${at}?import=wordpress`)).to, importPath);
    assert.equal((await aVisitor(site).get(at)).to, '/account');
  });

  test('says when it ended in the language and the time zone of the site', async () => {
    const site = await aPaper(engine);
    const visitor = await signedIn(site);
    await sendExport(visitor, exportOf(item()), { authors: 'mine' });
    await moved(site);
    const ended = async () => /was imported\. Ended: (.*?)\.<\/p>/.exec((await visitor.get(importPath)).text)?.[1];
    const at = '<time datetime="2026-11-20T12:00:00.000Z"';
    assert.equal(await ended(), `${at} lang="en-GB">20 November 2026 at 12:00 UTC</time>`);
    await site.set('site', { language: 'de_DE', timezone: 'Europe/Berlin' });
    assert.equal(await ended(), `${at} lang="de-DE">20. November 2026 um 13:00</time>`);
  });
});

/** With a form that stands at another address. */
async function signedInElsewhere(site: TestSite): Promise<number> {
  const visitor = aVisitor(site);
  await visitor.signIn('the-administrator', password);
  const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'multipart/form-data; boundary=b' };
  return (await visitor.post(importPath, '--b--', headers)).status;
}
