// What every place for files does alike with files that are put aside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Files } from '#site/files/files.ts';
import { allOf, contentOf } from '#test/media.ts';

const bytes = (given: string): Buffer => Buffer.from(given);

/** `fresh` answers an empty place of its own each time. */
export function asideSuite(fresh: () => Promise<Files>): void {
  test('files put aside are found by nobody until they are placed, and replace what was there', async () => {
    const files = await fresh();
    await files.put('a', bytes('old'));
    const aside = files.aside('many');
    for (const path of ['a', 'b/c', 'b/d/e']) await aside.put(path, bytes(`new ${path}`));
    assert.deepEqual(await allOf(aside.list()), ['a', 'b/c', 'b/d/e']);
    assert.deepEqual([await allOf(files.list()), await contentOf(files, 'a')], [['a'], 'old']);
    assert.equal(await aside.place(), 3);
    await aside.clear();
    assert.deepEqual(await allOf(aside.list()), []);
    assert.deepEqual(await allOf(files.list()), ['a', 'b/c', 'b/d/e']);
    assert.deepEqual([await contentOf(files, 'a'), await contentOf(files, 'b/d/e')], ['new a', 'new b/d/e']);
  });

  test('files put aside leave those alone that came meanwhile, and tell which', async () => {
    const files = await fresh();
    const aside = files.aside('many');
    for (const path of ['a', 'b/c', 'b/d']) await aside.put(path, bytes('new'));
    await files.put('b/c', bytes('came'));
    const kept: string[] = [];
    assert.equal(await aside.place((path) => void kept.push(path)), 2);
    assert.deepEqual(kept, ['b/c']);
    assert.deepEqual(await Promise.all(['a', 'b/c', 'b/d'].map((path) => contentOf(files, path))), [
      'new',
      'came',
      'new',
    ]);
  });

  test('nothing put aside is nothing to place', async () => {
    const files = await fresh();
    await files.put('a', bytes('old'));
    assert.deepEqual(await allOf(files.aside('none').list()), []);
    assert.equal(await files.aside('none').place(), 0);
    assert.deepEqual(await allOf(files.list()), ['a']);
  });

  test('files put aside and cleared away leave nothing', async () => {
    const files = await fresh();
    await files.aside('many').put('a/b', bytes('x'));
    await files.aside('many').clear();
    assert.deepEqual(await allOf(files.aside('many').list()), []);
    assert.deepEqual(await allOf(files.list()), []);
    await assert.rejects(files.aside('many').put('../b', bytes('x')), {
      name: 'Problem',
      status: 400,
      code: 'invalid_path',
    });
  });
}
