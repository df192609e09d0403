import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Cached, TopicCache } from './topic-cache.ts';

const entry = (size: number, ...topics: string[]): Cached => ({ size, topics: new Set(topics) });

function cacheOf(maxBytes: number) {
  const listeners: ((topics: ReadonlySet<string>) => void)[] = [];
  const news = { isCurrent: true, watch: (listener: (typeof listeners)[number]) => listeners.push(listener) };
  const cache = new TopicCache(news, { maxBytes });
  const write = (...topics: string[]) => listeners.forEach((tell) => void tell(new Set(topics)));
  const put = (key: string, one: Cached, since = cache.moment) => cache.put(key, one, since);
  return { cache, put, write, news };
}

describe('the cache by topics', () => {
  it('drops what depends on a topic that moved, and nothing else', () => {
    const { cache, put, write } = cacheOf(100);
    put('one', entry(10, 'posts'));
    put('two', entry(10, 'posts', 'users'));
    put('three', entry(10, 'terms'));
    write('users', 'media');
    assert.deepEqual(
      ['one', 'two', 'three'].map((key) => cache.get(key) !== undefined),
      [true, false, true],
    );
  });

  it('lets the least used go when it is full', () => {
    const { cache, put } = cacheOf(30);
    for (const key of ['one', 'two', 'three']) put(key, entry(10));
    cache.touch('one', cache.get('one')!);
    put('four', entry(10));
    assert.deepEqual(
      ['one', 'two', 'three', 'four'].filter((key) => cache.get(key)),
      ['one', 'three', 'four'],
    );
  });

  it('counts what an entry grew by, unless it is gone', () => {
    const { cache, put } = cacheOf(30);
    const old = entry(10);
    put('one', old);
    put('one', entry(10));
    cache.grow('one', old, 1000);
    assert.ok(cache.get('one'));
    put('two', entry(5));
    cache.grow('two', cache.get('two')!, 16);
    assert.equal(cache.get('one'), undefined);
  });

  it('counts what is put again once', () => {
    const { cache, put } = cacheOf(30);
    put('other', entry(10));
    for (let time = 0; time < 5; time++) put('one', entry(10));
    assert.ok(cache.get('other'));
  });

  it('forgets what an earlier entry of the same name depended on', () => {
    const { cache, put, write } = cacheOf(30);
    put('one', entry(10, 'posts'));
    put('one', entry(10, 'terms'));
    write('posts');
    assert.ok(cache.get('one'));
  });

  it('keeps nothing that is larger than itself', () => {
    const { cache, put } = cacheOf(30);
    put('one', entry(31));
    assert.equal(cache.get('one'), undefined);
  });

  it('keeps nothing that rests on what was written since', () => {
    const { cache, put, write } = cacheOf(30);
    const before = cache.moment;
    write('posts');
    assert.equal(put('one', entry(10, 'posts'), before), false);
    assert.equal(put('two', entry(10, 'terms'), before), true);
    assert.equal(cache.get('one'), undefined);
    assert.ok(cache.get('two'));
  });

  it('answers and keeps nothing while no word of writes arrives', () => {
    const { cache, put, news } = cacheOf(30);
    put('one', entry(10, 'posts'));
    news.isCurrent = false;
    assert.equal(cache.get('one'), undefined);
    put('two', entry(10, 'posts'));
    news.isCurrent = true;
    assert.ok(cache.get('one'));
    assert.equal(cache.get('two'), undefined);
  });
});
