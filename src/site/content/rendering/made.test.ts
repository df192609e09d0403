import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Made } from './made.ts';

/** How often each text was made. */
function counting() {
  const times = new Map<string, number>();
  const make = (text: string): string => {
    times.set(text, (times.get(text) ?? 0) + 1);
    return text.toUpperCase();
  };
  return { make, times };
}

test('a text is made once, until another one stands in its place', () => {
  const made = new Made(100_000);
  const { make, times } = counting();
  for (const text of ['a', 'a', 'b', 'a']) assert.equal(made.once('1', text, make), text.toUpperCase());
  assert.deepEqual(Object.fromEntries(times), { a: 2, b: 1 });
});

test('what was not asked for longest is forgotten first', () => {
  const made = new Made(4 * 220 * 8);
  const { make, times } = counting();
  const many = Array.from({ length: 34 }, (_, at) => `text ${at}`);
  for (const text of many) {
    made.once(text, text, make);
    made.once(many[0]!, many[0]!, make);
  }
  made.once(many[1]!, many[1]!, make);
  assert.equal(times.get(many[0]!), 1);
  assert.equal(times.get(many[1]!), 2);
});

test('of a long text too it is known whether it is the same', () => {
  const made = new Made(1_000_000);
  const { make, times } = counting();
  const [one, other] = [`${'a'.repeat(50_000)}b`, `${'a'.repeat(50_000)}c`];
  for (const text of [one, one, other]) assert.equal(made.once('1', text, make), text.toUpperCase());
  assert.deepEqual([times.get(one), times.get(other)], [1, 1]);
});

test('what would drive out everything else is made anew each time', () => {
  const made = new Made(4_000);
  const { make, times } = counting();
  const long = 'a'.repeat(1_000);
  made.once('1', long, make);
  made.once('1', long, make);
  assert.equal(times.get(long), 2);
});
