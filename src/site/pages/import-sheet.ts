// What a person sees who moves the content of another site in.
import type { PageAnswer } from '#kernel/http/page.ts';
import { type Problem, statusOf } from '#kernel/problem.ts';
import { type Html, html } from '#lib/html.ts';
import type { Session } from '../identity/sessions/sessions.ts';
import type { Fault, Tally, Told } from '../transfer/import/report.ts';
import type { Counts } from '../transfer/import/sent/doing.ts';
import { rolesFor } from '../transfer/import/sent/how.ts';
import type { Move, Sent } from '../transfer/import/sent/sent.ts';
import { accountPath, askerOf, type House } from './door.ts';
import { alert, check, hidden, note } from './forms.ts';
import { moment, page } from './layout.ts';

export const importPath = '/wp-admin/import.php';
export const importPurpose = 'import';

/** `fault`: why what was sent last was not taken. */
export async function importSheet(house: House, guest: Session, sent: Sent, fault?: Problem): Promise<PageAnswer> {
  const move = await sent.last();
  const isUnderWay = move?.status === 'queued' || move?.status === 'running';
  return page(house, {
    title: 'Import',
    wide: true,
    ...(fault !== undefined && { status: statusOf(fault, false) }),
    // A header and not a line of the page: it needs no script either, and only this page waits for something.
    headers: { ...fault?.headers, ...(isUnderWay && fault === undefined && { Refresh: String(everySeconds) }) },
    body: html`${fault && alert(fault.message)}${move && stateOf(house, move)}
${isUnderWay ? undefined : form(house, guest, sent, move !== undefined)}
${wayBack(house)}`,
  });
}

/** How often somebody who waits sees how far it has come. */
const everySeconds = 3;

const wayBack = ({ at, name }: House): Html =>
  html`<ul class="plain"><li><a class="link" href="${at(accountPath)}">Back to your account</a></li>
<li><a class="link" href="${at('/')}"><span>To the front page of <bdi lang="${name.language}">${name.title}</bdi></span></a></li></ul>`;

function stateOf(house: House, move: Move): Html {
  const { told, counts } = move;
  return html`${words(house, move)}
${(told ?? counts) && tallies(told ?? counts!)}
${told && faults(told)}
${told && notes(told)}`;
}

function words(house: House, { name, status, counts, reason, ended }: Move): Html {
  const file = html`“<bdi>${name}</bdi>”`;
  const again = html`<p><a class="button quiet" href="${house.at(importPath)}">Look again</a></p>`;
  const end = ended && html` Ended: ${moment(house, ended)}.`;
  switch (status) {
    case 'queued':
      return html`${note(html`${file} is waiting to be imported. ${reason}`)}${again}`;
    case 'running':
      return html`${note(html`${file} is being imported${progress(counts)}. You can leave this page.`)}${bar(counts)}${again}`;
    case 'done':
      return note(html`${file} was imported.${end}`);
    case 'cancelled':
      return alert(html`The import of ${file} was canceled. The site has the records imported before that.${end}`);
    default:
      return alert(html`The import of ${file} failed. ${reason}${end}`);
  }
}

function progress(counts: Counts | undefined): string {
  if (counts?.settled !== undefined) return `: the file is read, and ${counts.settled} records are linked`;
  return counts?.read === undefined ? '' : `: ${counts.read} % read`;
}

/** Without a number while nothing is known, and while records are put in order. */
const bar = (counts: Counts | undefined): Html => {
  const read = counts?.settled === undefined ? counts?.read : undefined;
  return html`<p><label for="progress">Progress</label> <progress id="progress" max="100"${read !== undefined && html` value="${read}"`}></progress></p>`;
};

const tallies = ({ authors, terms, items, comments, files }: Counts | Told): Html =>
  html`<table><caption>Imported records</caption>
<thead><tr><th scope="col">Kind</th><th scope="col">Created</th><th scope="col">Skipped</th><th scope="col">Failed</th></tr></thead>
<tbody>${[
    row('users', authors),
    row('terms', terms),
    ...Object.entries(items).map(([type, tally]) => row(type, tally)),
    row('comments', comments),
  ]}</tbody></table>
<p>Files: ${files.copied + files.fetched} imported, ${files.missing} not found.</p>`;

const row = (name: string, { created, skipped, failed }: Tally): Html =>
  html`<tr><th scope="row">${name}</th><td>${created}</td><td>${skipped}</td><td>${failed}</td></tr>\n`;

/** `again`: below what is told of the last one. */
function form(house: House, guest: Session, sent: Sent, again: boolean): Html {
  const { at, identity } = house;
  const given = rolesFor(identity.roles, askerOf(house, guest));
  return html`${again && html`<h2>Import another site</h2>\n`}<p>Import an export file (WXR) of another site. Records that are here already do not change, so you can send the same file again.</p>
<form method="post" action="${at(importPath)}" enctype="multipart/form-data">
${hidden('_wpnonce', identity.sessions.token(guest, importPurpose))}
<div class="field">
<label for="file">The export file</label>
<input id="file" name="file" type="file" required accept=".xml,text/xml,application/xml" aria-describedby="file-hint">
<p class="hint" id="file-hint">At most ${Math.floor(sent.limit / 2 ** 20)} MiB. For a larger file, ask your site operator to run: gatehouse import wxr FILE</p>
</div>
<fieldset><legend>Authors who have no account here</legend>
${given.length > 0 && choice('create', 'Create accounts without a password', true)}
${choice('mine', 'Do not create accounts: I become the author', given.length === 0)}
${given.length > 0 && roleField(house, given)}
</fieldset>
<div class="field">
<label for="map">Authors who have another user name here</label>
<textarea id="map" name="map" rows="3" autocapitalize="none" spellcheck="false" aria-describedby="map-hint"></textarea>
<p class="hint" id="map-hint">One author on each line: the user name there, an equals sign, the user name here. Optional.</p>
</div>
${check('fetch', 'Download pictures and other files from the other site', '1')}
<button>Import</button>
</form>`;
}

const choice = (value: string, label: string, chosen: boolean): Html =>
  html`<label class="check"><input type="radio" name="authors" value="${value}"${chosen && html` checked`}><span>${label}</span></label>\n`;

const usualRole = 'author';

const roleField = ({ identity }: House, given: readonly string[]): Html =>
  html`<div class="field">
<label for="role">Their role</label>
<select id="role" name="role">${given.map(
    (role) =>
      html`<option value="${role}"${role === usualRole && html` selected`}>${identity.roles.labelOf(role)}</option>\n`,
  )}</select>
</div>`;

// The records and files that an import left out: records one by one, files grouped by reason.

/** A page with more lines than this is not read. */
const mostLines = 200;

function faults({ errors, more }: Told): Html | undefined {
  if (errors.length === 0) return undefined;
  const [files, others] = parted(errors);
  return html`<h2>Records that were not imported</h2>
${groups(files)}${lines(others, more)}`;
}

/** What a site of an earlier version wrote has no notes. */
function notes({ notes = [], moreNotes = 0, files }: Partial<Told> & Pick<Told, 'files'>): Html | undefined {
  if (notes.length + files.missing === 0) return undefined;
  const [all, others] = parted(notes);
  const [lost, unsaid] = [all.filter(isMissing), all.filter((one) => !isMissing(one))];
  const missing = Math.max(lost.length, files.missing - unsaid.length);
  return html`<h2>Notes</h2>
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
  html`<p>To import missing files, send the same file again and choose to download files from the other site. Or ask your site operator to run: <code>gatehouse import wxr FILE --uploads FOLDER</code></p>
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
