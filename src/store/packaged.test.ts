import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { packageOwner, slugOf, tablesOfPackage } from './packaged.ts';

describe('An owner that came with a package', () => {
  test('is known by its name, and has no other tables than those that begin with it', () => {
    const { owner, prefix } = packageOwner('guest-book');
    assert.deepEqual([owner, prefix, slugOf(owner)], ['package:guest-book', 'guest_book_', 'guest-book']);
    assert.equal(slugOf('posts'), undefined);
    const tables = ['posts', 'guest_book_lines', 'guest_rooms', 'guestbook'];
    assert.deepEqual(tablesOfPackage(tables, owner, []), ['guest_book_lines']);
  });

  test('has no tables of one whose name only begins as its own', () => {
    const tables = ['guest_book_lines', 'guest_rooms'];
    const owners = ['posts', 'package:guest', 'package:guest-book'];
    assert.deepEqual(tablesOfPackage(tables, 'package:guest', owners), ['guest_rooms']);
    assert.deepEqual(tablesOfPackage(tables, 'package:guest-book', owners), ['guest_book_lines']);
  });
});
