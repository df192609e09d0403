// What must not compile is shown here as well: `tsc` fails when one of the expected errors is missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { on, when } from './access.ts';
import { resource } from './resource.ts';
import { routeMaker } from './route.ts';
import { t } from './schema.ts';

interface Nouns {
  readonly shelf: { readonly size: number };
}
const route = routeMaker<Nouns>();
const base = { method: 'GET', path: 'books/(?P<id>\\d+)', summary: 'A book' } as const;

test('a route knows its methods as a list', () => {
  const handle = () => ({});
  assert.deepEqual(route({ ...base, access: 'public', handle }).methods, ['GET']);
  assert.deepEqual(route({ ...base, method: ['PUT', 'PATCH'], access: 'public', handle }).methods, ['PUT', 'PATCH']);
});

test('a route without access does not compile', () => {
  // @ts-expect-error who may is never left out
  assert.ok(route({ ...base, handle: () => ({}) }));
});

test('a method that does not exist does not compile', () => {
  // @ts-expect-error there is no such method
  assert.ok(route({ ...base, method: 'FETCH', access: 'public', handle: () => ({}) }));
});

test('a misspelt argument, group, member or noun does not compile', () => {
  const args = { word: t.string(), number: t.optional(t.integer()), filled: t.integer({ default: 1 }) };
  const payload = t.object({ title: t.string() });
  const made = route({
    ...base,
    access: 'public',
    args,
    payload,
    handle: ({ args: settled, payload: body, path, use }) => {
      const fine: [string, number | undefined, number, string, string, number] = [
        settled.word,
        settled.number,
        settled.filled,
        body.title,
        path.id,
        use.shelf.size,
      ];
      // @ts-expect-error no such argument
      settled.wrod;
      // @ts-expect-error no such group
      path.ids;
      // @ts-expect-error no such member
      body.titel;
      // @ts-expect-error no such noun
      use.shelves;
      // @ts-expect-error it may be left out
      const number: number = settled.number;
      return { fine, number };
    },
  });
  assert.equal(made.summary, 'A book');
});

test('a rule that finds a record hands it on, and one that names other arguments does not compile', () => {
  const find = ({ id }: { id: number }) => ({ id, title: 'T' });
  const mine = on(find, (caller, row) => caller.id === row.id);
  assert.ok(
    route({
      ...base,
      access: mine,
      args: { id: t.integer() },
      handle: ({ record }) => {
        // @ts-expect-error the record has no such member
        record.titel;
        return record.title.toUpperCase();
      },
    }),
  );
  // @ts-expect-error the rule looks for `id`, which no argument brings
  assert.ok(route({ ...base, access: mine, args: { key: t.integer() }, handle: () => ({}) }));
  const looks = when((_caller, { word }: { word?: number }) => word === 1);
  // @ts-expect-error the rule takes a number for what is text
  assert.ok(route({ ...base, access: looks, args: { word: t.string() }, handle: () => ({}) }));
});

test('an answer that is no record of the resource does not compile', () => {
  const book = resource({ name: 'book', fields: { id: t.integer(), title: t.string() } });
  assert.ok(route({ ...base, access: 'public', resource: book, handle: () => ({ id: 1, title: 'T' }) }));
  // @ts-expect-error a book has a title
  assert.ok(route({ ...base, access: 'public', resource: book, handle: () => ({ id: 1 }) }));
});

test('a computed field that is no field does not compile', () => {
  // @ts-expect-error there is no field of this name
  assert.ok(resource({ name: 'book', fields: { id: t.integer() }, compute: { idd: () => 1 } }));
});
