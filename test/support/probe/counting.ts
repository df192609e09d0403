import type { Toolkit } from '#site/extension.ts';
import type { Probe } from '../probe.ts';

export const colours = ['red', 'blue'] as const;

/** Routes that read and write one table, and count how often they were asked. */
export function counting(colour: (typeof colours)[number], { route, t }: Toolkit<Probe>) {
  const table = `probe_${colour}` as const;
  return [
    route({
      method: 'GET',
      path: colour,
      summary: `How many ${colour} rows there are`,
      access: 'public',
      args: { word: t.optional(t.string()) },
      handle: async ({ use }) => {
        const rows = await use.store.db.selectFrom(table).select('id').execute();
        return { rows: rows.length, calls: called(use, colour) };
      },
    }),
    route({
      method: 'POST',
      path: colour,
      summary: `One more ${colour} row`,
      access: 'public',
      batch: true,
      handle: async ({ use }) => {
        await use.store.write((tx) => tx.insertInto(table).values({ text: 'x' }).execute());
        return { written: true };
      },
    }),
  ];
}

export function called({ calls }: Probe, name: string): number {
  const count = (calls.get(name) ?? 0) + 1;
  calls.set(name, count);
  return count;
}
