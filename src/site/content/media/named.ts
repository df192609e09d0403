// Which files are named in texts, by their names or numbers. Every text there is gets read for that, with others let in between.
import { setImmediate as breath } from 'node:timers/promises';
import type { Store } from '#store/store.ts';
import type { ContentTables } from '../tables.ts';
import { nameOf, namesIn, numbersIn, piecesOf } from './file-names.ts';
import { createTexts } from './texts.ts';

interface Named {
  readonly file: number;
  /** The record in whose text it is. */
  readonly record: number;
}

/** Of files by their numbers, without folders: each that is named, once and more. */
export async function* namedIn(
  store: Pick<Store<ContentTables>, 'db'>,
  files: ReadonlyMap<number, string>,
): AsyncGenerator<Named> {
  if (files.size === 0) return;
  const byName = Map.groupBy(files.keys(), (id) => nameOf(files.get(id)!));
  for await (const { id: record, text } of createTexts(store).all()) {
    for (const file of numbersIn(text)) if (files.has(file)) yield { file, record };
    for (const piece of piecesOf(text)) {
      for (const name of namesIn(piece)) for (const file of byName.get(name) ?? []) yield { file, record };
      await breath();
    }
  }
}
