// Files that arrive: judged and kept as uploads are, in the folder and by the name they had.
import { findPost } from '../../content/posts/rows.ts';
import { type Made, type Making, makeRecords } from './records.ts';
import type { Run } from './run.ts';
import { faultOf } from './run.ts';
import type { TheirFile } from './theirs.ts';

/** The record is there, and only some of the smaller copies are not. */
const isKept = (made: Made | undefined): made is Made => made?.id !== undefined;

/** The file is let go, whatever comes of it. */
export async function makeFile(run: Run, making: Making, file: TheirFile): Promise<Made> {
  const { theirs } = making;
  const { media } = run.needs.content;
  let made: Made | undefined;
  const arrived = { name: nameIn(theirs.file_url), path: file.path, size: file.size, inForm: false };
  try {
    await media.add(
      arrived,
      { title: theirs.title, alt_text: theirs.alt_text },
      { unfiltered: true },
      {
        work: JSON.stringify(['moving', run.options.from, theirs.id, theirs.file_url]),
        folder: folderOf(theirs.file_url, theirs.date),
        record: async (_, { file: own, alongside }) => {
          [made] = await makeRecords(run, [{ ...making, file: { ...own, alongside } }]);
          const post = made?.id === undefined ? undefined : await findPost(run.needs.store.db, made.id);
          if (post === undefined) throw new Error('The record of the file was not created.');
          return post;
        },
      },
    );
    return made!;
  } catch (error) {
    if (isKept(made)) return made;
    return made ?? { faults: [faultOf(error, theirs, theirs.title)] };
  } finally {
    await file.release();
  }
}

/** The last part of an address, as it is read. */
export function nameIn(url: string): string {
  const last = url.split(/[?#]/, 1)[0]!.replace(/^.*\//, '');
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** By month, as the address has it or its record. */
function folderOf(url: string, date: string): string {
  const [, year, month] = /\/(\d{4})\/(0[1-9]|1[0-2])\/[^/]*$/.exec(url.split(/[?#]/, 1)[0]!) ?? [];
  if (year !== undefined) return `${year}/${month}`;
  const [, own, ownMonth] = /^(\d{4})-(0[1-9]|1[0-2])-/.exec(date) ?? [];
  return own === undefined || own === '0000' ? 'moved' : `${own}/${ownMonth}`;
}
