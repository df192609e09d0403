// A table with a column of every kind, one that points at itself, and rows that are hard to carry.
import type { TableOwner } from '#store/migrate.ts';

export const everyKind: TableOwner = {
  owner: 'kinds',
  migrations: [
    {
      name: '0001-kinds',
      up: async ({ table, column }) => {
        await table('kinds')
          .addColumn('id', column.id)
          .addColumn('parent', column.integer, (c) => c.references('kinds.id'))
          .addColumn('real', column.real)
          .addColumn('text', column.text)
          .addColumn('flag', column.flag)
          .addColumn('document', column.json)
          .addColumn('at', column.instant)
          .addColumn('bytes', column.bytes)
          .execute();
      },
    },
  ],
};

const empty = { parent: null, real: null, text: null, flag: null, document: null, at: null, bytes: null };
const strange = `line\nbreak\r\t"quoted" 'so' \\ back, \u{1F600} \u2028 \uFEFF ﷽ á á`;

/** A child before its parent; the last number was given and taken back. */
export const hardRows = [
  { ...empty, id: 1, parent: 3 },
  { ...empty, id: 2, real: Number.POSITIVE_INFINITY, text: '' },
  { ...empty, id: 3, real: 0.1 + 0.2, text: strange, document: '{"a":[1,null]}', at: '2026-01-02T03:04:05.678Z' },
  { ...empty, id: 4, parent: 4, real: 5e-324, flag: 1, bytes: Buffer.from([0, 255, 10, 13, 0]) },
  { ...empty, id: 2 ** 52 - 9, real: 3, flag: 0, bytes: Buffer.alloc(0) },
];
