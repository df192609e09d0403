// Scripts that run as a process or a thread of their own. `bin/bundle.js` lists them.
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Defined in a bundle alone: the folder that it lies in. */
declare const bundleFolder: string | undefined;

/** The folder of the bundle that the program runs from; `undefined` when it runs from its sources. */
export const runningBundle: string | undefined = typeof bundleFolder === 'undefined' ? undefined : bundleFolder;

const sources = join(import.meta.dirname, '..');

/** Where the script of this source file lies. A thread that runs from a bundle starts in a fraction of the time. */
export function scriptAt(source: URL, bundle: string | undefined = runningBundle): URL {
  if (bundle === undefined) return source;
  const name = relative(sources, fileURLToPath(source)).replace(/\.ts$/, '.js');
  return pathToFileURL(join(bundle, name));
}
