import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wantedFields } from './fields.ts';
import { resource } from './resource.ts';
import { routeMaker } from './route.ts';
import { type Context, t } from './schema.ts';

const computed: string[] = [];
const book = resource({
  name: 'book',
  fields: {
    id: t.fixed(t.integer()),
    title: t.string({ minLength: 1 }),
    pages: t.integer({ default: 0, context: ['view', 'edit'] }),
    notes: t.string({ default: '', context: ['edit'] }),
    shelf: t.object({ row: t.integer(), key: t.string({ context: ['edit'] }) }, { context: ['view', 'edit'] }),
    loans: t.fixed(t.list(t.object({ who: t.string({ context: ['edit'] }), days: t.integer() }))),
    absent: t.fixed(t.string()),
  },
  compute: {
    loans: (row: { who: string }) => {
      computed.push('loans');
      return [{ who: row.who, days: 3 }];
    },
    absent: () => undefined,
  },
});
const row = { id: 1, title: 'T', pages: 9, notes: 'n', shelf: { row: 2, key: 'k' }, who: 'Ann', secret: 'never' };
const shown = (context: Context, fields?: string) => book.present(row, context, wantedFields(fields));

test('a record shows the fields of its context, nested ones too, and never a column that is no field', () => {
  assert.deepEqual(shown('view'), { id: 1, title: 'T', pages: 9, shelf: { row: 2 }, loans: [{ days: 3 }] });
  assert.deepEqual(shown('embed'), { id: 1, title: 'T', loans: [{ days: 3 }] });
  assert.deepEqual(shown('edit'), {
    id: 1,
    title: 'T',
    pages: 9,
    notes: 'n',
    shelf: { row: 2, key: 'k' },
    loans: [{ who: 'Ann', days: 3 }],
  });
});

test('what is not asked for is not computed', () => {
  computed.length = 0;
  assert.deepEqual(shown('view', 'id,title'), { id: 1, title: 'T' });
  assert.deepEqual(computed, []);
  assert.deepEqual(shown('view', 'loans.days'), { loans: [{ days: 3 }] });
  assert.deepEqual(computed, ['loans']);
});

test('a field whose value is undefined is left out', () => assert.equal('absent' in shown('view'), false));

test('the row itself is left as it was', () => {
  const before = structuredClone(row);
  shown('embed');
  assert.deepEqual(row, before);
});

test('creating takes every field that is not fixed, updating the same without defaults and all optional', () => {
  const writable = ['title', 'pages', 'notes', 'shelf'];
  assert.deepEqual(Object.keys(book.createArgs), writable);
  assert.deepEqual(Object.keys(book.updateArgs), writable);
  assert.equal((book.createArgs.pages as { default?: unknown }).default, 0);
  for (const schema of Object.values(book.updateArgs)) {
    assert.equal('default' in schema, false);
    assert.equal('~optional' in schema, true);
  }
  assert.equal((book.updateArgs.title as { minLength?: number }).minLength, 1);
});

test('a field that the row may hold as null has a schema that says so, or does not compile', () => {
  interface Loan {
    readonly id: number;
    readonly returned_at: string | null;
    readonly late: 0 | 1;
  }
  const links = ({ id }: Loan) => ({ self: [{ href: `/loans/${id}` }] });
  const of = { returned_at: (row: Loan) => row.returned_at ?? '' };
  const loan = { id: 1, returned_at: null, late: 1 } as const;
  // @ts-expect-error: it says string, and null would be sent.
  resource({ name: 'loan', fields: { id: t.integer(), returned_at: t.fixed(t.string()) }, links });
  // @ts-expect-error: 1 is no boolean.
  resource({ name: 'loan', fields: { late: t.fixed(t.boolean()) }, links });
  const told = resource({ name: 'loan', fields: { returned_at: t.fixed(t.nullable(t.string())) }, links });
  assert.deepEqual(told.present(loan, 'view', undefined), { returned_at: null });
  const computed = resource({ name: 'loan', fields: { returned_at: t.fixed(t.string()) }, compute: of, links });
  assert.deepEqual(computed.present(loan, 'view', undefined), { returned_at: '' });
});

test('so does a route whose handler answers such rows, where nothing else says what the rows are', () => {
  const record = resource({ name: 'loan', fields: { returned_at: t.fixed(t.string()) } });
  const definition = { method: 'GET', path: 'loans', summary: 'Loans', access: 'public' } as const;
  const row: { returned_at: string | null } = { returned_at: null };
  // @ts-expect-error: the record says string.
  routeMaker<unknown>()({ ...definition, resource: record, handle: () => [row] });
});
