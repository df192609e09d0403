import { whoMay } from '#kernel/matrix.ts';
import type { Table } from '#kernel/table.ts';
import { readConfig } from '../config.ts';
import { type Command, json } from './command.ts';

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

function lines(rows: readonly Row[]): string {
  const cells = rows.map(({ methods, path, access, summary }) => [methods.join(','), path, access, summary]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const command: Command = {
  name: 'routes',
  about: 'Lists every route of the deployment under its neutral name: methods, path, who may call it and what it does.',
  settings: ['deployment'],
  options: { json },
  run: async (ask) => {
    const { kernelWithoutStore } = await import('../boot.ts');
    const rows = rowsOf(kernelWithoutStore(readConfig(ask)).table);
    ask.out(ask.options.json === undefined ? lines(rows) : JSON.stringify(rows, null, 2));
    return 0;
  },
};
