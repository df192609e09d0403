import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Kept, Shelf } from './shelf.ts';

const kept = (size: number, ...topics: string[]): Kept => ({ size, topics: new Set(topics) });

describe('the shelf of kept things', () => {
  it('drops what depends on a topic that moved, and nothing else', () => {
    const shelf = new Shelf(100);
    shelf.put('one', kept(10, 'posts'));
    shelf.put('two', kept(10, 'posts', 'users'));
    shelf.put('three', kept(10, 'terms'));
    shelf.dropTopics(new Set(['users', 'media']));
    assert.deepEqual(
      ['one', 'two', 'three'].map((key) => shelf.get(key) !== undefined),
      [true, false, true],
    );
  });

  it('lets the least used go when it is full', () => {
    const shelf = new Shelf(30);
    for (const key of ['one', 'two', 'three']) shelf.put(key, kept(10));
    shelf.touch('one', shelf.get('one')!);
    shelf.put('four', kept(10));
    assert.deepEqual(
      ['one', 'two', 'three', 'four'].filter((key) => shelf.get(key)),
      ['one', 'three', 'four'],
    );
  });

  it('counts what a thing grew by, unless it is gone', () => {
    const shelf = new Shelf(30);
    const old = kept(10);
    shelf.put('one', old);
    shelf.put('one', kept(10));
    shelf.grow('one', old, 1000);
    assert.ok(shelf.get('one'));
    shelf.put('two', kept(5));
    shelf.grow('two', shelf.get('two')!, 16);
    assert.equal(shelf.get('one'), undefined);
  });

  it('counts what is put again once', () => {
    const shelf = new Shelf(30);
    shelf.put('other', kept(10));
    for (let time = 0; time < 5; time++) shelf.put('one', kept(10));
    assert.ok(shelf.get('other'));
  });

  it('forgets what an earlier thing of the same name depended on', () => {
    const shelf = new Shelf(30);
    shelf.put('one', kept(10, 'posts'));
    shelf.put('one', kept(10, 'terms'));
    shelf.dropTopics(new Set(['posts']));
    assert.ok(shelf.get('one'));
  });

  it('keeps nothing that is larger than itself', () => {
    const shelf = new Shelf(30);
    shelf.put('one', kept(31));
    assert.equal(shelf.get('one'), undefined);
  });
});
