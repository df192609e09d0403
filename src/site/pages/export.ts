// The content of the site to take along: one file, as other sites of this family read it.
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { kernelErrors } from '#kernel/errors.ts';
import type { Page, PageAnswer, StreamedAnswer, Visit } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import { second } from '#lib/spans.ts';
import type { Kinds } from '../content/types.ts';
import { readSelection, type Selection } from '../transfer/import/wxr/selection.ts';
import type { Exporting } from '../transfer/import/wxr/write.ts';
import { askerOf, type Guest, type House, type HouseNow, opened } from './door.ts';
import { textOf } from './forms.ts';
import { page, redirect, unshared } from './layout.ts';
import { toSignIn } from './sign-in.ts';

export const exportPath = '/wp-admin/export.php';
/** Asked for to take anything along. */
export const exportCapability = 'export';

/** At a time: each looks at the site as it was when it began, and the store keeps a connection for it. */
const most = 2;

interface Needs {
  readonly kinds: Kinds;
  readonly exporting: Exporting;
}

export function exportPage(houseNow: HouseNow, { kinds, exporting }: Needs): Page {
  let underWay = 0;
  const download = async (selection: Selection): Promise<StreamedAnswer> => {
    if (underWay === most)
      throw kernelErrors.tooBusy('An export of this site is running already. Try again when it has ended.');
    underWay += 1;
    const body = new PassThrough();
    const taken = taking(body);
    const done = () => {
      taken.end();
      underWay -= 1;
    };
    exporting
      .write(selection, (pieces) => pipeline(taken.of(pieces), body))
      .then(done, (error) => {
        done();
        // Whoever stopped reading asks no more.
        if (!body.destroyed) body.destroy(error);
      });
    return { status: 200, type: 'text/xml; charset=UTF-8', headers: await headersOf(exporting), body };
  };
  const visited = async (visit: Visit, guest: Guest, house: House): Promise<PageAnswer | StreamedAnswer> => {
    if (guest === undefined) return redirect(toSignIn(house, exportPath, false));
    if (!askerOf(house, guest).can(exportCapability)) throw kernelErrors.forbidden('export the content of this site');
    return textOf(visit.query, 'download') === '' ? choice(house, kinds) : download(selectionIn(visit, kinds));
  };
  return { path: exportPath, visit: opened(houseNow, visited) };
}

async function headersOf(exporting: Exporting) {
  return {
    ...unshared,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Content-Disposition': `attachment; filename="${await exporting.name()}"`,
  };
}

/** Forms of this family send 0 for what was not chosen. */
function selectionIn({ query }: Visit, kinds: Kinds): Selection {
  const said = (name: string): string => textOf(query, name).replace(/^0$/, '');
  const number = (name: string): number | undefined => {
    if (said(name) === '') return undefined;
    if (!/^\d{1,15}$/.test(said(name))) throw kernelErrors.invalidParam(`${name} must be a number.`);
    return Number(said(name));
  };
  const [author, category] = [number('author'), number('cat')];
  const [content, status, start, end] = ['content', 'status', 'start_date', 'end_date'].map(said);
  return {
    ...readSelection(kinds, { content, status, start, end }),
    ...(author !== undefined && { author }),
    ...(category !== undefined && { category }),
  };
}

const choice = (house: House, { types }: Kinds): PageAnswer =>
  page(house, {
    title: 'Export',
    body: html`<p>The download is one WXR file, which other sites can import. Uploaded files are not in it.</p>
<p><a class="button full" href="${house.at(exportPath)}?download=true&amp;content=all" download>Download everything</a></p>
<ul>
${types.map(
  ({ name, labels }) =>
    html`<li><a class="link" href="${house.at(exportPath)}?download=true&amp;content=${name}" download>${labels} only</a></li>\n`,
)}</ul>`,
  });

// A client that asks for an export and does not read it would hold its source open, so the export ends after a time limit.

interface Taking {
  /** The same, one after the other, while they are taken. */
  of(pieces: AsyncIterable<string>): AsyncGenerator<string>;
  /** Nothing is waited for any more. */
  end(): void;
}

/** Gives the body up when nothing was taken from it for so many milliseconds. How long the next piece takes to come is another matter. */
export function taking(body: Readable, patience = 30 * second): Taking {
  let waiting: NodeJS.Timeout | undefined;
  const wait = (): void => {
    waiting = setTimeout(() => body.destroy(), patience);
    waiting.unref();
  };
  const end = (): void => clearTimeout(waiting);
  return {
    end,
    async *of(pieces) {
      for await (const piece of pieces) {
        wait();
        yield piece;
        end();
      }
      // Of the last ones some may still lie in between.
      wait();
    },
  };
}
