// Where the link in the mail of a scan leads: what was found, with buttons that mute it.
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { type Html, html } from '#lib/html.ts';
import { type House, type HouseNow, opened } from '#site/pages/door.ts';
import { alert, hidden, note, textOf } from '#site/pages/forms.ts';
import { page } from '#site/pages/layout.ts';
import type { Manage } from '../../groups/manage.ts';
import type { Fixes } from './fixes.ts';
import type { MailTokens } from './mail-tokens.ts';
import type { Issue } from './scan.ts';
import type { Scanner } from './scanner.ts';
import type { Vulnerabilities } from './vulnerabilities/vulnerabilities.ts';

export const scanPath = '/scan-results';

interface PageUse {
  readonly mailTokens: Pick<MailTokens, 'callerOf'>;
  readonly scanner: Pick<Scanner, 'get'>;
  readonly vulnerabilities: Pick<Vulnerabilities, 'mute'>;
  readonly fixes: Pick<Fixes, 'unmute'>;
  readonly manage: Pick<Manage, 'behalfOf'>;
}

export function scanPages(use: PageUse, houseNow: HouseNow): Page[] {
  const visited = async ({ method, form, query }: Visit, house: House): Promise<PageAnswer> => {
    const sent = method === 'POST' ? form : query;
    const [key, scan] = [textOf(sent, 'key'), textOf(sent, 'scan')];
    try {
      const caller = await use.mailTokens.callerOf(key);
      const [issue, action] = [textOf(form, 'issue'), textOf(form, 'action')];
      const behalf = use.manage.behalfOf(caller);
      if (method === 'POST' && action === 'mute') await use.vulnerabilities.mute(issue, behalf);
      if (method === 'POST' && action === 'unmute') await use.fixes.unmute(issue, behalf);
      const { issues, time } = await use.scanner.get(Number(scan));
      return shown(house, { key, scan, time, issues, isChanged: method === 'POST' });
    } catch (error) {
      if (!(error instanceof Problem) || (error.status !== 401 && error.status !== 404)) throw error;
      return page(house, { title: 'This link has expired', status: 404, body: alert(error.message) });
    }
  };
  return [
    { path: scanPath, takesForms: true, visit: opened(houseNow, (visit, _guest, house) => visited(visit, house)) },
  ];
}

interface Shown {
  readonly key: string;
  readonly scan: string;
  readonly time: string;
  readonly issues: readonly Issue[];
  readonly isChanged: boolean;
}

function shown(house: House, { key, scan, time, issues, isChanged }: Shown): PageAnswer {
  const found = issues.filter(({ entry, status }) => entry === 'vulnerabilities' || status === 'warn');
  const button = ({ id, status }: Issue): Html => {
    const [action, label] = status === 'clean' ? ['unmute', 'Unmute'] : ['mute', 'Mute'];
    return html`<form method="post" action="${house.at(scanPath)}">
${hidden('key', key)}${hidden('scan', scan)}${hidden('issue', id)}${hidden('action', action)}
<button>${label}</button>
</form>`;
  };
  const row = (issue: Issue): Html => html`<li><p>${issue.description}</p>
${issue.entry === 'vulnerabilities' && button(issue)}</li>`;
  return page(house, {
    title: 'Results of the scan',
    wide: true,
    body: html`${isChanged && note('Your change was saved.')}
<p>The scan ran on ${time.slice(0, 10)}. A muted issue is not counted as a problem.</p>
<ul>${found.map(row)}</ul>`,
  });
}
