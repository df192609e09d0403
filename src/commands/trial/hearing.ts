// What a trial says, by a pipe of our own, a line each time. Whatever was loaded there may write into it as well: what makes no sense is
// passed over, and there is an end to it.
import type { Readable } from 'node:stream';

/** Of a line: more than a trial says. */
const longest = 16 * 1024;
/** More lines than a trial has to say. */
const most = 100;

export function hear(pipe: Readable, listener: (said: unknown) => void): void {
  let begun = '';
  let heard = 0;
  pipe.on('error', () => {});
  pipe.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop()!.slice(0, longest);
    for (const line of lines) {
      heard += 1;
      if (heard > most) return void pipe.destroy();
      const said = readIn(line);
      if (said !== undefined) listener(said);
    }
  });
}

function readIn(line: string): unknown {
  if (line.length > longest) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
