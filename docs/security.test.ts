// The pages on security and the firewall say what the code does, and the checklist names tests that exist.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { asked, isMet } from '#test/firewall-engine.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { linkIn } from '#test/mails.ts';
import { picture } from '#test/pictures.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { signedInAs } from '#test/visitor.ts';
import { author, exportOf, item } from '#test/wxr.ts';
import { faultsOf } from '../src/extensions/secsuite/parts/firewall/engine/faults.ts';
import { isMatchType } from '../src/extensions/secsuite/parts/firewall/engine/matching.ts';
import { isMutation } from '../src/extensions/secsuite/parts/firewall/engine/mutations.ts';
import type { Condition } from '../src/extensions/secsuite/parts/firewall/engine/rule.ts';
import { modulesOn } from '../src/extensions/secsuite/parts.ts';
import { moduleOrder } from '../src/extensions/secsuite/settings/module-order.ts';
import { blocks, written } from './handbook.ts';

interface Rule {
  readonly name: string;
  readonly config: { readonly rules: readonly Condition[] };
}

const page = written('firewall.md');
const rules: readonly Rule[] = blocks('json', page).map((block) => JSON.parse(block));
/** Entries of a feed of rules. */
const entries: readonly { readonly vpatch: readonly Condition[] }[] = blocks('json feed', page).flatMap((block) =>
  JSON.parse(block),
);
const namesIn = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

describe('the pages on security', () => {
  test('show rules that can be stored, and that match what they say', () => {
    assert.deepEqual(
      [
        ...rules.map(({ config }) => config),
        ...entries.map(({ vpatch }) => ({ type: 'BLOCK', rules: vpatch })),
      ].flatMap((config) => faultsOf(config)),
      [],
    );
    assert.equal(entries.length, 1);
    const [files = [], writing = [], office = [], disguised = []] = rules.map(({ config }) => config.rules);
    assert.deepEqual(
      ['/.env', '/a/%2egit/config', '/.env?x=1', '/.environment', '/env'].map((url) => isMet(files, asked({ url }))),
      [true, true, true, false, false],
    );
    const posts = { record: 'post', action: 'create' } as const;
    const editor = { user: { roles: ['editor'], can: (name: string) => name === 'edit_others_posts' } };
    assert.equal(isMet(writing, { write: posts }), true);
    assert.equal(isMet(writing, { write: posts }, editor), false);
    for (const record of ['page', 'attachment']) assert.equal(isMet(writing, { write: { ...posts, record } }), true);
    assert.equal(isMet(writing, { write: { ...posts, record: 'comment' } }), false);
    assert.equal(isMet(office, { write: posts }), true);
    assert.equal(isMet(office, { write: posts, address: '198.51.100.8' }), false);
    const data = Buffer.from('<script>1</script>').toString('base64');
    assert.equal(isMet(disguised, { url: `/?data=${encodeURIComponent(data)}` }), true);
    assert.equal(isMet(disguised, { url: '/?data=plain' }), false);
  });

  test('name tests that exist', () => {
    const named = [
      ...written('security-checklist.md').matchAll(/\| `((?:\w[\w-]*\/)+[\w-]+(?:\.full)?\.test)` \|$/gm),
    ].map(([, name = '']) => name);
    const root = join(import.meta.dirname, '..');
    const fileOf = (name: string) => join(root, /^(?:test|docs)\//.test(name) ? '' : 'src', `${name}.ts`);
    assert.ok(named.length > 90, `${named.length}`);
    assert.deepEqual(
      named.filter((name) => !existsSync(fileOf(name))),
      [],
    );
  });

  test('have a row for modules that exist, and for each that only Gatehouse has', () => {
    const table = /\| Module \| While it is on \|\n(.*?)\n\n/s.exec(written('security.md'))?.[1] ?? assert.fail();
    const rows = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, id = '']) => id);
    const ids = modulesOn({ data: '.' }).map(({ id }) => id);
    const own = ids.filter((id) => !moduleOrder.includes(id));
    assert.ok(rows.length > 0);
    assert.deepEqual([rows.filter((id) => !ids.includes(id)), own.filter((id) => !rows.includes(id))], [[], []]);
  });

  test('name matches and mutations that exist', () => {
    const table = /\| Type \| Matches \|\n(.*?)\n\n/s.exec(page)?.[1] ?? assert.fail();
    const types = table.split('\n').flatMap((line) => namesIn(line.split('|')[1] ?? ''));
    assert.equal(types.filter(isMatchType).length, 24);
    assert.deepEqual(
      types.filter((name) => !isMatchType(name) && name !== 'Type'),
      [],
    );
    const line = /^\*\*Mutations\*\*.*: (.*)$/m.exec(page)?.[1] ?? assert.fail();
    assert.deepEqual([namesIn(line).length, namesIn(line).filter((name) => !isMutation(name))], [8, []]);
  });
});

eachEngine('The rule of the page about writes', (engine) => {
  const office = JSON.stringify(rules[2]).replaceAll('198.51.100.', '127.0.0.');

  test('holds against routes, batches, uploads, abilities and test data, and leaves nothing of what it refuses', async () => {
    const [site] = await aGuardedSite(engine, {
      deploys: ({ extensions }) => ({ extensions: { ...extensions, 'test-data': true } }),
    });
    const admin = site.as('administrator');
    assert.equal((await admin.post('/api/secsuite/v1/firewall/rules', JSON.parse(office))).status, 201);
    const headers = { ...(await site.credentials('administrator')), 'content-type': 'application/json' };
    const from = (address: string) => async (path: string, body: object, method?: string) => {
      const sent = { method: method ?? 'POST', headers, body: JSON.stringify(body) };
      return visitorFrom(site.port, address).ask(path, sent);
    };
    const [inside, outside] = [from('127.0.0.7'), from('127.0.0.9')];
    const { id } = (await inside('/api/core/v2/posts', { title: 'One' })).body;
    const asked: readonly [path: string, body: object, method?: string][] = [
      ['/api/core/v2/posts', { title: 'Two' }],
      [`/wp-json/wp/v2/posts/${id}`, { title: 'Other' }],
      [`/api/core/v2/posts/${id}/autosaves`, { title: 'Other' }],
      [`/api/core/v2/posts/${id}?force=true`, {}, 'DELETE'],
      ['/api/core/v2/users/me', { description: 'Other' }],
      ['/api/core/v2/settings', { title: 'Other' }],
      ['/api/core/v2/categories', { name: 'Other' }],
      ['/api/core-abilities/v1/abilities/content/create-draft/run', { input: { type: 'post', title: 'Two' } }],
      ['/api/datagen/v1/posts/generate', { quantity: 2 }],
    ];
    for (const [path, body, method] of asked) {
      const { status, text } = await outside(path, body, method);
      assert.equal(`${status} ${text.match(/secsuite_firewall_blocked/)}`, '403 secsuite_firewall_blocked', path);
    }
    const batch = {
      requests: ['posts', 'pages'].map((base) => ({ path: `/core/v2/${base}`, body: { title: 'Two' } })),
    };
    const { status, body: parts } = await outside('/api/batch/v1', batch);
    assert.deepEqual([status, ...parts.responses.map((one: { status: number }) => one.status)], [207, 403, 403]);
    const upload = { ...headers, 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' };
    const sent = { method: 'POST', headers: upload, body: await picture(20, 20, 'png') };
    assert.equal((await visitorFrom(site.port, '127.0.0.9').ask('/api/core/v2/media', sent)).status, 403);
    assert.deepEqual((await inside('/api/core/v2/media', {}, 'GET')).body, []);
    const all = await inside('/api/core/v2/posts?status=any&_fields=title.raw&context=edit', {}, 'GET');
    assert.deepEqual(all.body, [{ title: { raw: 'One' } }]);
    assert.equal((await inside('/api/core/v2/settings', { title: 'Ours' })).status, 200);
  });

  test('holds against pages: an account, a password by a link, and an import', async () => {
    const [site] = await aGuardedSite(engine);
    const admin = site.as('administrator');
    assert.equal((await admin.post('/api/secsuite/v1/firewall/rules', JSON.parse(office))).status, 201);
    const browser = await signedInAs(site, 'administrator');
    const post = async (path: string, form: Record<string, string | Blob>, from: string) => {
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
      const data = new FormData();
      for (const [name, value] of Object.entries(form)) data.append(name, value);
      const request = new Request('http://x/', { method: 'POST', body: data });
      const headers = { cookie, 'content-type': request.headers.get('content-type')! };
      const body = new Uint8Array(await request.arrayBuffer());
      return (await visitorFrom(site.port, from).ask(path, { method: 'POST', headers, body })).status;
    };
    await site.user({ login: 'ada', roles: ['subscriber'] });
    await site.app.services.identity.resets.request('ada', '127.0.0.1');
    const { to } = await browser.get(await linkIn(site));
    const pass1 = 'a wide blue lake';
    const ways: [path: string, form: Record<string, string | Blob>][] = [
      ['/account', { do: 'add', name: 'Phone', _wpnonce: await browser.token('/account', 'action="/account"') }],
      [
        '/wp-admin/import.php',
        {
          _wpnonce: await browser.token('/wp-admin/import.php'),
          authors: 'create',
          role: 'author',
          map: '',
          file: new File([exportOf(author('bob'), item({ title: 'Rivers' }))], 'old.xml'),
        },
      ],
      [to!, { pass1, pass2: pass1 }],
    ];
    for (const [path, form] of ways) {
      assert.equal(await post(path, form, '127.0.0.9'), 403, path);
      assert.ok((await post(path, form, '127.0.0.7')) < 400, path);
    }
  });
});
