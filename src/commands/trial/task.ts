// What a trial and the process that runs it say to one another.
import type { Manifest } from '#site/packages/manifest.ts';
import type { Deployment } from '../../config.ts';

/** By which of the files that a process has open a trial tells how it goes. It is told its task where a process reads first. */
export const toldBy = 3;

export interface Task {
  /** The process that wants to know: nothing is tried without it. */
  readonly site: number;
  /** Empty, and erased afterwards. */
  readonly folder: string;
  /** Which only we say. */
  readonly word: string;
  /** With what is on just now, and without what is tried. */
  readonly deployment: Deployment;
  readonly url: string;
  /** How many bytes the extension may have, beside what the program has. */
  readonly memory: number;
  /** Packages that are on. */
  readonly others: readonly Packed[];
  /** What is tried: a package, or the slug of what comes with the program. */
  readonly tried: Packed | string;
}

export interface Packed {
  readonly entry: string;
  readonly manifest: Manifest;
}

/** That it goes on or went well counts with the word alone. Of a failure whatever is tried may speak for itself. */
export type Told =
  | { readonly is: 'ready' | 'fine'; readonly word: string }
  | { readonly is: 'fault'; readonly why: string };
