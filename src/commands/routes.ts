import { type Command, json } from '#cli/command.ts';
import { aligned } from '#cli/table.ts';
import { whoMay } from '#kernel/matrix.ts';
import type { Table } from '#kernel/table.ts';

interface Row {
  readonly methods: readonly string[];
  readonly path: string;
  readonly access: string;
  readonly summary: string;
}

const rowsOf = (table: Table): Row[] =>
  table.groups.flatMap(({ pattern, entries }) =>
    entries.map(({ route }) => ({
      methods: route.methods,
      path: pattern.text,
      access: whoMay(route),
      summary: route.summary,
    })),
  );

const lines = (rows: readonly Row[]): string =>
  aligned(rows.map(({ methods, path, access, summary }) => [methods.join(','), path, access, summary])).join('\n');

export const command: Command = {
  name: 'routes',
  about: 'Lists every route of the deployment under its neutral name: methods, path, required access and purpose.',
  settings: ['deployment'],
  options: { json },
  run: async (ask) => {
    const { kernelWithoutStore } = await import('../boot/kernel.ts');
    const rows = rowsOf(kernelWithoutStore(ask.config()).table);
    ask.out(ask.options.json === undefined ? lines(rows) : JSON.stringify(rows, null, 2));
    return 0;
  },
};
