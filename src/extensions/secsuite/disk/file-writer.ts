// Files that the suite writes for other software, such as rules for the web server. Listeners hear of a file before it is written, so that
// the search for changed files does not report what the suite itself did.
import * as texts from './texts.ts';

type WriteListener = (path: string, text: string) => Promise<void>;

export interface FileWriter {
  /** Replaces the whole file once every listener knows of it. */
  replace(path: string, text: string): Promise<void>;
  beforeWrite(listener: WriteListener): void;
}

export function createFileWriter(): FileWriter {
  const listeners: WriteListener[] = [];
  return {
    async replace(path, text) {
      for (const listener of listeners) await listener(path, text);
      await texts.replace(path, text);
    },
    beforeWrite: (listener) => void listeners.push(listener),
  };
}
