// The page for whoever is signed in: what was said last, and a form to say more.
import type { Caller } from '#kernel/caller.ts';
import type { Page, Visit } from '#kernel/http/page.ts';
import type { Toolkit } from '#site/extension.ts';
import type { HouseNow } from '#site/pages/door.ts';
import type { Room } from '#site/pages/signed-in.ts';
import { type Lines, tidying } from './lines.ts';
import { lineResource } from './record.ts';
import type { Line } from './tables.ts';

const path = '/guest-book';

/** What was wrong, by the name of the field, and what had been typed. */
interface Refused {
  readonly faults: Readonly<Record<string, string>>;
  readonly typed: Visit['form'];
}

export function pages(tools: Toolkit<Lines>, lines: Lines, house: HouseNow): Page[] {
  const { signedIn, sheet, redirect, html, parts, reading, faultsOf, textOf, t } = tools;
  const readLine = reading(lineResource(tools).createArgs);
  const readId = reading({ id: t.integer() });

  const signing = (site: Room, { faults, typed }: Refused) => {
    const about = (name: string) => ({
      name,
      value: textOf(typed, name),
      fault: faults[name],
      autocomplete: 'off' as const,
    });
    return site.form(html`${parts.field({ ...about('name'), label: 'Your name', longest: 60 })}
${parts.field({ ...about('words'), label: 'What you would like to say', longest: 280 })}
<button>Sign the book</button>`);
  };

  const shown = ({ id, name, words }: Line, caller: Caller, site: Room) =>
    html`<li>${words} — ${name}${
      caller.can(tidying) &&
      site.form(
        html`${parts.hidden('id', String(id))}<button class="wrong" name="do" value="erase">Take it out</button>`,
      )
    }</li>`;

  const book = async (caller: Caller, site: Room, { done = '', refused }: { done?: string; refused?: Refused }) =>
    sheet(site, {
      title: 'Guest book',
      status: refused === undefined ? 200 : 400,
      body: html`${done === 'signed' && parts.note('Thank you, your line is in the book.')}
${refused?.faults.all && parts.alert(refused.faults.all)}
<ul class="list">${(await lines.latest()).map((line) => shown(line, caller, site))}</ul>
${signing(site, refused ?? { faults: {}, typed: {} })}`,
    });

  /** What the forms of the page ask for. The noun looks at the rights once more, in its write. */
  const doing = async ({ form }: Visit, caller: Caller): Promise<string> => {
    if (textOf(form, 'do') === 'erase') {
      await lines.erase(readId(form, caller).id, caller);
      return 'erased';
    }
    await lines.sign(readLine(form, caller), caller);
    return 'signed';
  };

  return [
    signedIn(
      house,
      path,
      ({ query }, caller, site) => book(caller, site, { done: textOf(query, 'done') }),
      async (visit, caller, site) => {
        try {
          return redirect(`${site.at(path)}?done=${await doing(visit, caller)}`, { status: 303 });
        } catch (error) {
          return book(caller, site, { refused: { faults: faultsOf(error, ['name', 'words']), typed: visit.form } });
        }
      },
    ),
  ];
}
