// What a notice is: something that whoever manages the security of the site should know or do.
import type { Behalf } from '../base.ts';

export type Severity = 'error' | 'warning' | 'info' | 'success';

export interface Action {
  readonly title: string;
  readonly style: 'link' | 'button' | 'primary' | 'close';
  /** A page to open. */
  readonly uri?: string;
  /** A place in the console. */
  readonly route?: string;
  /** What is done; a link needs none. */
  run?(behalf: Behalf): unknown;
}

interface Meta {
  readonly label: string;
  readonly value: string;
  readonly formatted: string;
}

export interface Notice {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly severity: Severity;
  readonly meta?: Readonly<Record<string, Meta>>;
  readonly actions: Readonly<Record<string, Action>>;
  /** When what it tells of happened; what was dismissed later than that is not told again. */
  readonly at?: string;
}

/** What actions of notices do with them. */
export interface NoticeActions {
  dismiss(id: string): Promise<void>;
  putOff(id: string, milliseconds: number): Promise<void>;
}

/** Looks whether there is something to tell now. */
export type NoticeSource<Use> = (use: Use, actions: NoticeActions) => Notice | undefined | Promise<Notice | undefined>;

export const dismissal = (id: string, dismiss: NoticeActions['dismiss']): Action => ({
  title: 'Dismiss',
  style: 'close',
  run: () => dismiss(id),
});

/** A place in the console where the manager can do something about it. */
export const linkTo = (title: string, route: string, style: Action['style'] = 'primary'): Action => ({
  title,
  style,
  route,
});
