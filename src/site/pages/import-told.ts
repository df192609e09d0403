// What did not come with an import, and what to know of it: one by one, and files in one group for each reason.
import { type Html, html } from '#lib/html.ts';
import type { Fault, Told } from '../transfer/import/report.ts';

/** A page with more lines than this is not read. */
const mostLines = 200;

export function faults({ errors, more }: Told): Html | undefined {
  if (errors.length === 0) return undefined;
  const [files, others] = parted(errors);
  return html`<h2>What was not taken</h2>
${groups(files)}${lines(others, more)}`;
}

/** What a site of an earlier version wrote has no notes. */
export function notes({ notes = [], moreNotes = 0, files }: Partial<Told> & Pick<Told, 'files'>): Html | undefined {
  if (notes.length + files.missing === 0) return undefined;
  const [all, others] = parted(notes);
  const [lost, unsaid] = [all.filter(isMissing), all.filter((one) => !isMissing(one))];
  const missing = Math.max(lost.length, files.missing - unsaid.length);
  return html`<h2>What to know</h2>
${missing > 0 && missingFiles(missing, lost)}${groups(unsaid)}${lines(others, moreNotes)}`;
}

const isMissing = ({ code }: Fault): boolean => code === 'missing';

/** Those of files, and all others. */
function parted(all: readonly Fault[]): [files: Fault[], others: Fault[]] {
  const isOfFile = ({ code, url }: Fault): boolean => url !== undefined || code === 'missing' || code === 'no_file_url';
  return [all.filter(isOfFile), all.filter((one) => !isOfFile(one))];
}

/** A site that is gone leaves dozens: they are folded, and each says where its file was. */
const groups = (files: readonly Fault[]): Html[] =>
  [...Map.groupBy(files, ({ message }) => message)].map(([reason, some]) =>
    folded(html`${some.length === 1 ? '1 file' : `${some.length} files`}: ${reason}`, some, some.length),
  );

const missingFiles = (count: number, lost: readonly Fault[]): Html =>
  html`<p>Files that were not found can come later: send the same file again and have them got from where they are now, or give their folder to the command line, as <code>--uploads</code>. What lacks them is mended then.</p>
${folded(count === 1 ? '1 file was not found' : `${count} files were not found`, lost, count)}`;

/** `count`: how many there were, of which not all may have been written down. */
const folded = (title: Html | string, files: readonly Fault[], count: number): Html =>
  html`<details><summary><span>${title}</span></summary>
<ul class="list">${files.slice(0, mostLines).map(file)}</ul>${unsaidOf(count - Math.min(files.length, mostLines))}</details>
`;

const lines = (some: readonly Fault[], more: number): Html =>
  html`${some.length > 0 && html`<ul class="list">${some.slice(0, mostLines).map(fault)}</ul>\n`}${unsaidOf(more + Math.max(0, some.length - mostLines))}`;

const unsaidOf = (count: number): Html | false => count > 0 && html`<p>… and ${count} more.</p>`;

const fault = (one: Fault): Html => html`<li>${place(one)}: ${one.message}</li>\n`;

/** What a site of an earlier version wrote names the URL in the message alone. */
const file = (one: Fault): Html =>
  html`<li>${place(one)}${one.code !== 'no_file_url' && html`: <span>${one.url ?? one.message}</span>`}</li>\n`;

const place = ({ line, title }: Fault): Html =>
  html`${line !== undefined && `Line ${line}: `}<strong><bdi>${title}</bdi></strong>`;
