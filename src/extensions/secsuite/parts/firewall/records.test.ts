// Rules about what is written name the kinds of records that the interface names, whichever way somebody writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { sendExport } from '#test/import-page.ts';
import { picture } from '#test/pictures.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import type { TestSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';
import { aVisitor } from '#test/visitor.ts';
import { author, exportOf, item } from '#test/wxr.ts';

const core = '/api/core/v2';
const password = 'a quiet river';
const kinds = ['post', 'page', 'attachment', 'wp_block', 'wp_navigation', 'category', 'post_tag', 'comment', 'user'];
const records = [...kinds, 'application_password', 'setting', 'extension', 'secsuite_settings'];
const actions = ['create', 'change', 'delete'];

interface Watched {
  readonly site: TestSite;
  /** What rules saw since the last time: `create page`. */
  seen(): Promise<string[]>;
}

/** Each kind of change is logged by a rule of its own. */
async function aWatchedSite(engine: TestEngine): Promise<Watched> {
  const [site, suite] = await aGuardedSite(engine, {
    deploys: ({ extensions }) => ({ extensions: { ...extensions, 'test-data': true } }),
  });
  const names = new Map<number, string>();
  for (const record of records)
    for (const action of actions) {
      const is = (parameter: string, value: string) => ({
        parameter,
        match: { type: 'equals', value },
        inclusive: true,
      });
      const rules = [is('write.record', record), is('write.action', action)];
      const config = { type: 'LOG', rules };
      names.set(
        (await suite.firewall.rules.add({ name: `${action} ${record}`, config, paused: false })).id,
        `${action} ${record}`,
      );
    }
  let last = 0;
  return {
    site,
    async seen() {
      await site.app.services.events.settled();
      await suite.logs.flush();
      const { body } = await site.as('administrator').get('/api/secsuite/v1/logs?module[]=firewall&per_page=100');
      const fresh = (body as { id: number; code: { raw: { data: string[] } } }[]).filter(({ id }) => id > last);
      last = Math.max(last, ...fresh.map(({ id }) => id));
      return fresh.map(({ code }) => names.get(Number(code.raw.data[0])) ?? '?').sort();
    },
  };
}

const is2xx = ({ status, text }: { readonly status: number; readonly text: string }, what: string): void =>
  assert.ok(status >= 200 && status < 300, `${what}: ${status} ${text}`);

eachEngine('The kinds of records that rules about writing name', (engine) => {
  test('are those of the routes', async () => {
    const { site, seen } = await aWatchedSite(engine);
    const admin = site.as('administrator');
    const ids: Record<string, number> = {};
    const made: readonly [base: string, body: object, record: string][] = [
      ['posts', { title: 'One', content: 'Words', status: 'publish' }, 'post'],
      ['pages', { title: 'Two', status: 'publish' }, 'page'],
      ['blocks', { title: 'Three', status: 'publish' }, 'wp_block'],
      ['navigation', { title: 'Four', status: 'publish' }, 'wp_navigation'],
      ['categories', { name: 'Five' }, 'category'],
      ['tags', { name: 'Six' }, 'post_tag'],
      ['users', { username: 'seven', email: 'seven@example.org', password, roles: ['author'] }, 'user'],
    ];
    for (const [base, body, record] of made) {
      const answer = await admin.post(`${core}/${base}`, body);
      is2xx(answer, base);
      ids[base] = answer.body.id;
      assert.deepEqual(
        (await seen()).filter((one) => one !== `change ${record}`),
        [`create ${record}`],
        base,
      );
    }
    for (const [base, , record] of made) {
      const said = record === 'user' || base === 'categories' || base === 'tags' ? 'description' : 'content';
      is2xx(await admin.post(`${core}/${base}/${ids[base]}`, { [said]: 'Other words' }), base);
      assert.deepEqual(await seen(), [`change ${record}`], base);
    }
    const uploaded = await send(site, 'administrator', 'a.png', await picture(30, 20, 'png'));
    is2xx(uploaded, 'media');
    assert.deepEqual((await seen()).slice(-1), ['create attachment']);
    const media = `${core}/media/${uploaded.body.id}`;
    is2xx(await admin.post(media, { alt_text: 'A picture' }), 'alt text');
    assert.deepEqual(await seen(), ['change attachment']);
    is2xx(await admin.post(`${core}/posts/${ids.posts}`, { categories: [ids.categories] }), 'categories');
    assert.deepEqual(await seen(), ['change post']);
    is2xx(await admin.post(`${core}/posts/${ids.posts}/autosaves`, { title: 'Unsaved' }), 'autosave');
    assert.deepEqual(await seen(), ['change post']);
    is2xx(await admin.post(`${core}/comments`, { post: ids.posts, content: 'So it is' }), 'comment');
    assert.deepEqual(await seen(), ['create comment']);
    is2xx(await admin.post(`${core}/settings`, { title: 'Ours' }), 'settings');
    assert.deepEqual(await seen(), ['change setting']);
    is2xx(await admin.post(`${core}/users/${ids.users}/application-passwords`, { name: 'Phone' }), 'password');
    assert.deepEqual(await seen(), ['create application_password']);
    is2xx(await admin.patch('/api/secsuite/v1/settings/brute-force', { max_attempts_host: 7 }), 'suite');
    assert.deepEqual(
      (await seen()).filter((one) => !one.includes('secsuite_settings')),
      [],
    );
    is2xx(await admin.delete(`${core}/pages/${ids.pages}`), 'trash');
    assert.deepEqual(await seen(), ['change page']);
    is2xx(await admin.delete(`${core}/pages/${ids.pages}?force=true`), 'delete');
    assert.deepEqual(
      (await seen()).filter((one) => one !== 'change page'),
      ['delete page'],
    );
    is2xx(await admin.delete(`${core}/categories/${ids.categories}?force=true`), 'delete');
    assert.deepEqual(await seen(), ['change post', 'delete category']);
    is2xx(await admin.delete(`${core}/tags/${ids.tags}?force=true`), 'delete');
    assert.deepEqual(await seen(), ['delete post_tag']);
    is2xx(await admin.get(`${core}/posts`), 'reading');
    assert.deepEqual(await seen(), []);
  });

  test('are the same for batches, abilities, test data, the block editor, imports and pages', async () => {
    const { site, seen } = await aWatchedSite(engine);
    const admin = site.as('administrator');
    const requests = [{ path: '/core/v2/pages', body: { title: 'One' } }];
    is2xx(await admin.post('/api/batch/v1', { requests }), 'batch');
    assert.ok((await seen()).includes('create page'));
    for (const type of ['post', 'page']) {
      const path = '/api/core-abilities/v1/abilities/content/create-draft/run';
      is2xx(await admin.post(path, { input: { type, title: 'Two' } }), 'ability');
      assert.deepEqual(
        (await seen()).filter((one) => one !== `change ${type}`),
        [`create ${type}`],
      );
    }
    for (const [base, body, record] of [
      ['posts', {}, 'post'],
      ['posts', { post_type: 'page' }, 'page'],
      ['users', {}, 'user'],
      ['terms', {}, 'category'],
      ['comments', {}, 'comment'],
      ['attachments', { width: 300 }, 'attachment'],
    ] as const) {
      is2xx(await admin.post(`/api/datagen/v1/${base}/generate`, { quantity: 1, ...body }), base);
      const all = await seen();
      assert.ok(all.includes(`create ${record}`), `${base} ${record}: ${all}`);
    }
    is2xx(await admin.get('/api/core-block-editor/v1/navigation-fallback'), 'editor');
    assert.ok((await seen()).includes('create wp_navigation'));
    const { login } = await site.user({ login: 'boss', roles: ['administrator'], password });
    const boss = aVisitor(site);
    await boss.signIn(login, password);
    assert.deepEqual(await seen(), []);
    const _wpnonce = await boss.token('/account', 'action="/account"');
    await boss.post('/account', { do: 'add', name: 'Phone', _wpnonce });
    assert.deepEqual(await seen(), ['create application_password']);
    await sendExport(boss, exportOf(author('ada'), item({ title: 'Rivers' })));
    const announced = kinds.flatMap((record) => [`change ${record}`, `create ${record}`]).sort();
    assert.deepEqual(await seen(), announced);
    await site.app.services.jobs.settled();
  });
});
