// What one record brings along besides its texts: as much of it as an ordinary write takes. The rest is told and left behind.
import type { Report } from './report.ts';
import type { TheirRecord } from './theirs.ts';

/** As many terms as a request may name, and many more old slugs than anybody keeps track of. */
const most = { terms: 1_000, meta: 1_000, old_slugs: 100 };

const names: Readonly<Record<keyof typeof most, string>> = {
  terms: 'terms',
  meta: 'pieces of meta',
  old_slugs: 'old slugs',
};

const members = Object.keys(most) as (keyof typeof most)[];

export function bounded(theirs: TheirRecord, report: Pick<Report, 'fault'>): TheirRecord {
  const tooMany = members.filter((member) => theirs[member].length > most[member]);
  if (tooMany.length === 0) return theirs;
  const { line, id, title } = theirs;
  for (const member of tooMany) {
    const message = `It has ${theirs[member].length} ${names[member]}; the first ${most[member]} of them are taken.`;
    report.fault({ ...(line !== undefined && { line }), id, title, code: 'too_many', message });
  }
  return { ...theirs, ...Object.fromEntries(tooMany.map((member) => [member, theirs[member].slice(0, most[member])])) };
}
