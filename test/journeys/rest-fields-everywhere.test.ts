// `_fields` on every route of the interface that can be read without further arguments.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';

/** Of `GET` without a part of the path that somebody has to fill in. */
const plainPaths = ({ app }: TestSite): string[] =>
  app.table.groups
    .filter(({ pattern, entries }) => pattern.names.length === 0 && entries.some(isRead))
    .map(({ pattern }) => pattern.text);

const isRead = ({ route }: { readonly route: { readonly methods: readonly string[] } }) =>
  route.methods.includes('GET');

const isEmptied = (body: unknown): boolean =>
  Array.isArray(body) ? body.every((one) => typeof one !== 'object' || isEmptied(one)) : isKeyed(body);

/** Records by their names: each is emptied by itself. */
const isKeyed = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.values(body).every((one) => Array.isArray(one) && isEmptied(one));

/** A document of its own, sent as it is, and not a record. */
const documents = ['/datagen/v1/docs/openapi'];

eachEngine('_fields', (engine) => {
  test('is honoured by every route that can be read', async () => {
    const site = await aSite(engine);
    const { get } = site.as('administrator');
    const paths = plainPaths(site);
    assert.ok(paths.length > 60, `${paths.length}`);
    const ignoring: string[] = [];
    let read = 0;
    for (const path of paths) {
      const { status, headers, body } = await get(`/api${path}?_fields=no_such_member`);
      if (status !== 200 || !headers.get('content-type')?.startsWith('application/json')) continue;
      read += 1;
      if (!isEmptied(body)) ignoring.push(path);
    }
    assert.deepEqual(ignoring, documents);
    assert.ok(read > 50, `${read}`);
  });

  test('picks members of what a route wraps together with its wrapping', async () => {
    const site = await aSite(engine);
    const activate = '/api/xsell_pcs/v1/plugincrosssell/activate_plugin';
    const body = { plugin_slug: 'embeds' };
    const answer = await site.as('administrator').post(`${activate}?_fields=success,data.slug`, body);
    assert.deepEqual(answer.body, { success: true, data: { slug: 'embeds' } });
  });

  test('picks members of what OPTIONS describes', async () => {
    const site = await aSite(engine);
    const { body } = await site.options('/api/core/v2/posts?_fields=namespace,methods');
    assert.deepEqual(Object.keys(body), ['namespace', 'methods']);
  });
});
