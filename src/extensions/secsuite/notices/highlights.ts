// What the log holds that somebody should see: of each kind the newest entry.
import { rdate } from '../dates.ts';
import type { LogType } from '../logs/entry.ts';
import type { Logs } from '../logs/logs.ts';
import type { LogNames } from '../logs/named.ts';
import type { Notice, Severity } from './notice.ts';

interface Kind {
  /** While this module runs. */
  readonly module: string;
  readonly title: string;
  readonly message: string;
  readonly found: {
    readonly modules: readonly string[];
    readonly codes?: readonly string[];
    readonly types?: readonly LogType[];
  };
}

export const kinds: Readonly<Record<string, Kind>> = {
  'file-change-report': {
    module: 'file-change',
    title: 'Files have changed',
    message: 'Files of this site were added, changed or removed. <a href="{{ $view }}">See which</a>.',
    found: { modules: ['file_change'], codes: ['changes-found%'] },
  },
  'notification-center-send-failed': {
    module: 'notification-center',
    title: 'A mail was not delivered',
    message: 'A notification could not be sent. <a href="{{ $view }}">See why</a>.',
    found: { modules: ['notification_center'], codes: ['send_failed%'] },
  },
  'site-scanner-report': {
    module: 'malware-scheduling',
    title: 'A scan found something serious',
    message: 'The last scan of this site found something that should be looked at. <a href="{{ $view }}">See what</a>.',
    found: { modules: ['site-scanner', 'site_scanner'], types: ['critical-issue'] },
  },
};

const severities: Partial<Record<LogType, Severity>> = {
  'critical-issue': 'error',
  fatal: 'error',
  error: 'warning',
  warning: 'warning',
  action: 'success',
};

const prefix = 'highlighted-log-';
export const highlightOf = (kind: string): string => `${prefix}${kind}`;

interface Needs {
  readonly logs: Pick<Logs, 'list'>;
  readonly logNames: LogNames;
  isRunning(module: string): boolean;
  isInFile(): boolean;
  isMuted(kind: string): boolean;
  /** Where an entry is read. */
  hrefOf(entry: number): string;
  dismiss(id: string): Promise<void>;
  mute(kind: string): Promise<void>;
}

export async function highlights(needs: Needs): Promise<Notice[]> {
  const { logs, isRunning, isInFile, isMuted } = needs;
  if (isInFile()) return [];
  const asked = Object.entries(kinds).filter(([kind, { module }]) => isRunning(module) && !isMuted(kind));
  const found = await Promise.all(
    asked.map(async ([kind, said]) => {
      const { items } = await logs.list({ ...said.found, limit: 1, offset: 0, order: 'desc', orderBy: 'created_at' });
      return items.map((entry) => noticeOf(kind, said, entry, needs));
    }),
  );
  return found.flat();
}

type Entry = Awaited<ReturnType<Logs['list']>>['items'][number];

function noticeOf(kind: string, { title, message }: Kind, entry: Entry, needs: Needs): Notice {
  const { id, type, module, code, created_at } = entry;
  const dismiss = () => needs.dismiss(highlightOf(kind));
  return {
    id: highlightOf(kind),
    title,
    message,
    at: created_at,
    severity: severities[type] ?? 'info',
    meta: {
      created_at: {
        label: 'When',
        value: rdate(created_at),
        formatted: rdate(created_at).slice(0, 16).replace('T', ' '),
      },
      module: { label: 'Module', value: module, formatted: needs.logNames.module(module) },
      description: { label: 'What', value: code, formatted: needs.logNames.code(module, code) },
    },
    actions: {
      dismiss: { title: 'Dismiss', style: 'close', run: dismiss },
      view: { title: 'See the entry', style: 'primary', uri: needs.hrefOf(id), route: `/logs/${id}`, run: dismiss },
      mute: { title: 'Say no more of this kind', style: 'link', run: () => needs.mute(kind) },
    },
  };
}
