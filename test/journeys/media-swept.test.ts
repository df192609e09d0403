// What a process left of files that died at work: nobody's names and bytes, and they go in time. What somebody still works on stays.
import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hour } from '#lib/spans.ts';
import type { ContentTables } from '#site/content/tables.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { aside, kept, known, left, media, nothing, send } from '#test/uploads.ts';

/** As it is when a process dies between taking names and making the record. */
async function halfDone(site: TestSite, names: readonly string[], taken: Date): Promise<void> {
  const store: Store<ContentTables> = site.app.services.store;
  const rows = names.map((name) => ({ path: `2026/11/${name}`, post_id: null, taken_at: instant(taken) }));
  await store.write((tx) => tx.insertInto('media_paths').values(rows).execute());
  for (const { path } of rows) await site.app.services.files.put(path, Buffer.from('half'));
}

eachEngine('What a process left that died with files at work', (engine) => {
  test('goes within hours, once it is a day old; younger work stays', async () => {
    let now = noon;
    const site = await aSite(engine, { clock: () => now });
    const ago = (hours: number) => new Date(noon.getTime() - hours * hour);
    await halfDone(site, ['dead.jpg', 'dead-150x150.jpg'], ago(20));
    await halfDone(site, ['working.jpg'], ago(10));
    assert.equal((await send(site, 'author', 'dead.jpg', await picture(100, 100))).body.filename, 'dead-1.jpg');
    now = new Date(noon.getTime() + 7 * hour);
    await soon(async () => (await known(site)).names.join(), '2026/11/dead-1.jpg,2026/11/working.jpg');
    assert.deepEqual(kept(site), ['dead-1.jpg', 'working.jpg']);
  });

  test('is nothing to whoever still is at work aside, and goes from there when it is hours old', async () => {
    const site = await aSite(engine);
    const folder = join(site.config.data, 'arriving');
    mkdirSync(folder, { recursive: true });
    for (const [name, hours] of [
      ['dead', 3],
      ['dead-medium', 3],
      ['dead-edited-0', 3],
      ['working', 1],
    ] as const) {
      writeFileSync(join(folder, name), 'half');
      const at = new Date(noon.getTime() - hours * hour);
      utimesSync(join(folder, name), at, at);
    }
    const { body } = await send(site, 'author', 'a.txt', 'hello');
    assert.deepEqual(aside(site), ['working']);
    await site.as('author').delete(`${media}/${body.id}?force=true`);
    assert.deepEqual(await left(site), { ...nothing, aside: ['working'] });
  });
});
