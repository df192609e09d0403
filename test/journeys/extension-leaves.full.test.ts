// What an extension leaves behind when it goes, and what its pages keep from others while it is there.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Entry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { extensions as bundled } from '../../src/extensions/all.ts';

eachEngine('An extension of a running site', (engine) => {
  test('hears nothing of what it watched, however often and however late it began to', async () => {
    let heard = 0;
    let watch: () => () => void = () => () => {};
    const mill: Entry<object> = () => ({
      name: 'mill',
      nouns: ({ store }) => {
        watch = () =>
          store.changes.watch(() => {
            heard += 1;
          });
        return {};
      },
    });
    const site = await aSite(engine, { extensions: [...bundled, mill] });
    const change = () => site.as('editor').post('/api/core/v2/posts', { title: 'Bread' });
    watch()();
    await change();
    assert.equal(heard, 0);
    watch();
    await change();
    await soon(async () => heard > 0, true);
    await site.app.services.extensions.deactivate('mill', {});
    watch()();
    watch();
    heard = 0;
    await change();
    assert.equal(heard, 0);
  });

  test('is ended though what was to be served when it left could not be made at first', async () => {
    let [ended, fails] = [false, 0];
    const mill: Entry<object> = () => ({
      name: 'mill',
      nouns: () => ({}),
      ends: () => {
        ended = true;
      },
    });
    /** They are looked at once before they are served. */
    const odd: Entry<object> = () => ({
      name: 'odd',
      nouns: () => ({}),
      routes: () => {
        if (fails > 0 && --fails === 0) throw new Error('No routes just now.');
        return {};
      },
    });
    const site = await aSite(engine, { extensions: [...bundled, mill, odd] });
    fails = 2;
    await site.app.services.extensions.deactivate('mill', {});
    await soon(async () => ended, true);
    const told = site.log.lines.splice(0).map(({ details }) => (details as { err?: Error }).err?.message);
    assert.ok(told.includes('No routes just now.'));
  });

  test('hides nothing that is published later, and health tells what it hides of before', async () => {
    const mill: Entry<object> = () => ({
      name: 'mill',
      nouns: () => ({}),
      pages: () => [{ path: '/mill', visit: () => ({ status: 200, type: 'text/plain', body: 'Flour' }) }],
    });
    const site = await aSite(engine, { extensions: [...bundled, mill] });
    const { extensions, health } = site.app.services;
    const publish = async (): Promise<{ id: number; slug: string }> =>
      (await site.as('editor').post('/api/core/v2/pages', { title: 'Mill', status: 'publish' })).body;
    const look = async () => (await health.look('extensions', { headers: {}, address: '' }))?.seen;
    assert.equal((await publish()).slug, 'mill-2');
    assert.equal((await look())?.state, 'ok');
    await extensions.deactivate('mill', {});
    const { id, slug } = await publish();
    assert.equal(slug, 'mill');
    await extensions.activate('mill', {});
    assert.ok(site.log.lines.some(({ level, message }) => level === 'warn' && message.includes('instead of “Mill”')));
    const seen = await look();
    assert.equal(seen?.state, 'warning');
    assert.ok(seen?.finding.includes('mill shows its page /mill instead of “Mill”'), seen?.finding);
    await site.as('editor').post(`/api/core/v2/pages/${id}`, { slug: 'windmill' });
    assert.equal((await look())?.state, 'ok');
  });

  test('is asked for the head of what it streams, and makes nothing of it', async () => {
    let made = 0;
    async function* pieces() {
      made += 1;
      yield 'flour';
    }
    const mill: Entry<object> = () => ({
      name: 'mill',
      nouns: () => ({}),
      pages: () => [
        { path: '/flour', visit: () => ({ status: 200, type: 'text/plain', body: Readable.from(pieces()) }) },
      ],
    });
    const site = await aSite(engine, { extensions: [...bundled, mill] });
    const { status, headers, text } = await site.request('HEAD', '/flour');
    assert.deepEqual([status, headers.get('content-type'), text, made], [200, 'text/plain', '', 0]);
    assert.ok(!site.log.lines.some(({ level }) => level === 'error'));
  });
});
