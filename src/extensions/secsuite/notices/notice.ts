// What a notice is: something that whoever manages the security of the site should know or do.
import type { Behalf } from '../behalf.ts';

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

/** Of the notices that are always known, each: nothing, while there is nothing to say. */
export type Look = () => Notice | undefined | Promise<Notice | undefined>;
