// The page where established sites have their administration: scripts and test tools look for their token there.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { aVisitor, signedInAs } from '#test/visitor.ts';

const paths = ['/wp-admin', '/wp-admin/', '/wp-admin/index.php', '/wp-admin/post-new.php'];

eachEngine('The administration page', (engine) => {
  test('holds the address of the interface and a token in the forms that scripts look for', async () => {
    const site = await aSite(engine);
    const editor = await signedInAs(site, 'editor');
    const cookie = [...editor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const path of paths) {
      const { status, text, headers } = await editor.get(path);
      assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'], path);
      const [, line = ''] = /var wpApiSettings = (.*)/.exec(text) ?? [];
      const { root, nonce } = JSON.parse(line.replace(/;$/, ''));
      assert.deepEqual([root, /"nonce":"([^"]*?)"/.exec(line)?.[1]], ['http://site.test/wp-json/', nonce]);
      assert.equal(/createNonceMiddleware\(\s*"([^"]+)"\s*\)/.exec(text)?.[1], nonce);
      assert.equal(/createRootURLMiddleware\(\s*"([^"]+)"\s*\)/.exec(text)?.[1], root);
      const me = await site.get('/wp-json/wp/v2/users/me', { cookie, 'x-wp-nonce': nonce });
      assert.deepEqual([me.status, me.body.slug], [200, 'editor']);
      const [, script = ''] = /<script>(.*?)<\/script>/s.exec(text) ?? [];
      const hash = createHash('sha256').update(script).digest('base64');
      assert.ok(headers.get('content-security-policy')?.includes(`script-src 'sha256-${hash}'`), 'the browser runs it');
    }
  });

  test('leads visitors to the sign-in page and back, and shows them no token', async () => {
    const site = await aSite(engine);
    for (const path of paths) {
      const { status, to, text } = await aVisitor(site).get(path);
      assert.deepEqual([status, to, text], [302, '/login?redirect_to=%2Fwp-admin%2F', ''], path);
    }
  });

  test('leads people to their account', async () => {
    const site = await aSite(engine);
    const { text } = await (await signedInAs(site, 'subscriber')).get('/wp-admin/');
    assert.match(text, /href="\/account"/);
    assert.match(text, /http:\/\/site\.test\/wp-json\//);
  });

  test('works for a test tool that signs in, finds the interface, and asks for its token', async () => {
    const site = await aSite(engine);
    await site.user({ login: 'tool', password: 'a quiet river bends', roles: ['administrator'] });
    const browser = aVisitor(site);
    const home = await site.request('HEAD', '/');
    assert.match(home.headers.get('link') ?? '', /<http:\/\/site\.test\/wp-json\/>; rel="https:\/\/api\.w\.org\/"/);
    assert.ok((await browser.signIn('tool', 'a quiet river bends')).status < 400);
    const token = (await browser.get('/wp-admin/admin-ajax.php?action=rest-nonce')).text;
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const made = await site.post('/wp-json/wp/v2/posts', { title: 'One' }, { cookie, 'x-wp-nonce': token });
    assert.equal(made.status, 201, made.text);
  });
});
