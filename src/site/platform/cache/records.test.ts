// What is remembered of records is met only while it is known to be current. Word of what others write is an argument here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listener } from '#store/changes.ts';
import { createToldRecords } from './records.ts';

const record = { id: 7, version: 1, type: 'post', rests: ['media'] };

function remembering() {
  const listeners = new Set<Listener>();
  const changes = {
    isCurrent: true,
    at: () => 0,
    say: () => {},
    watch: (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const records = createToldRecords({ changes, readBefore: () => {} }, { tables: ['posts'], shared: ['terms'] });
  const known = () => records.known(form, [record])[0];
  const write = (topic: string) => {
    for (const listener of listeners) listener(new Set([topic]));
  };
  return { changes, known, write, telling: () => records.telling(form)(record) };
}

const form = { face: 'neutral', added: '' } as const;
const written = { title: 'A post' };

test('while word of other writes does not arrive nothing remembered is met, and nothing is remembered', () => {
  const { changes, known, telling } = remembering();
  const told = telling().as(written, undefined);
  assert.equal(known(), told);
  changes.isCurrent = false;
  assert.equal(known(), undefined);
  const late = telling().as({ title: 'Otherwise' }, undefined);
  changes.isCurrent = true;
  assert.notEqual(known(), late);
});

test('what a record shares with others forgets it, and what is no part of it does not', () => {
  const { known, write, telling } = remembering();
  const told = telling().as(written, undefined);
  write('users');
  assert.equal(known(), told);
  write('terms');
  assert.equal(known(), undefined);
});

test('what it rests on by itself forgets it as well', () => {
  const { known, write, telling } = remembering();
  telling().as(written, undefined);
  write('media');
  assert.equal(known(), undefined);
  const begun = telling();
  write('media');
  begun.as(written, undefined);
  assert.equal(known(), undefined);
});

test('a record made while its term was renamed is not remembered', () => {
  const { known, write, telling } = remembering();
  const begun = telling();
  write('terms');
  begun.as(written, undefined);
  assert.equal(known(), undefined);
  const told = telling().as(written, undefined);
  assert.equal(known(), told);
});
