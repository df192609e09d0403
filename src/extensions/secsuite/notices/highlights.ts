// What the log holds that somebody should see: of each kind the newest entry.
import { rdate } from '../base.ts';
import type { LogType } from '../logs/entry.ts';
import type { Logs } from '../logs/logs.ts';
import type { LogNames } from '../logs/named.ts';
import type { Notice, Severity } from './notice.ts';

/** A kind of log entry that managers see as a notice. */
export interface Highlight {
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

export type Highlights = Readonly<Record<string, Highlight>>;

const severities: Partial<Record<LogType, Severity>> = {
  'critical-issue': 'error',
  fatal: 'error',
  error: 'warning',
  warning: 'warning',
  action: 'success',
};

const prefix = 'highlighted-log-';
export const highlightOf = (kind: string): string => `${prefix}${kind}`;

interface HighlightDeps {
  readonly kinds: Highlights;
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

export async function highlightNotices(deps: HighlightDeps): Promise<Notice[]> {
  const { kinds, logs, isRunning, isInFile, isMuted } = deps;
  if (isInFile()) return [];
  const asked = Object.entries(kinds).filter(([kind, { module }]) => isRunning(module) && !isMuted(kind));
  const found = await Promise.all(
    asked.map(async ([kind, said]) => {
      const { items } = await logs.list({ ...said.found, limit: 1, offset: 0, order: 'desc', orderBy: 'created_at' });
      return items.map((entry) => noticeOf(kind, said, entry, deps));
    }),
  );
  return found.flat();
}

type Entry = Awaited<ReturnType<Logs['list']>>['items'][number];

function noticeOf(kind: string, { title, message }: Highlight, entry: Entry, deps: HighlightDeps): Notice {
  const { id, type, module, code, created_at } = entry;
  const dismiss = () => deps.dismiss(highlightOf(kind));
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
      module: { label: 'Module', value: module, formatted: deps.logNames.module(module) },
      description: { label: 'What', value: code, formatted: deps.logNames.code(module, code) },
    },
    actions: {
      dismiss: { title: 'Dismiss', style: 'close', run: dismiss },
      view: { title: 'See the entry', style: 'primary', uri: deps.hrefOf(id), route: `/logs/${id}`, run: dismiss },
      mute: { title: 'Mute notices of this kind', style: 'link', run: () => deps.mute(kind) },
    },
  };
}
