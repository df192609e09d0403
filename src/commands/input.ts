// What a command is told while it runs: by a person at a terminal, or by a script through standard input.
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Failed, type Input, WrongUse } from '#cli/command.ts';
import type { InputStream, OutputStream } from '#cli/io.ts';

/** Questions go to `screen`, which is not where the answer of a command goes. */
export function createInput(keyboard: InputStream, screen: OutputStream): Input {
  const hidden: Early = { lines: [], begun: '' };
  return {
    hasTerminal: Boolean(keyboard.isTTY && screen.isTTY),
    ask: (question) => answered(keyboard, screen, (reading) => reading.question(question)),
    askHidden: (question) => askHidden(keyboard, screen, question, hidden),
    line: () => firstLine(keyboard),
  };
}

/** What was typed, or pasted, beyond the line that was asked for. */
interface Early {
  readonly lines: string[];
  /** Of a line that has not ended yet. */
  begun: string;
}

/** Whoever pastes a password twice in one go answers this question and the next that is hidden. */
async function askHidden(keyboard: InputStream, screen: OutputStream, question: string, early: Early): Promise<string> {
  const known = early.lines.shift();
  if (known !== undefined) {
    screen.write(`${question}\n`);
    return known;
  }
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const hidden = answered(keyboard, nowhere, async (reading) => {
    // Only now: reading has begun, so that the terminal itself shows nothing any more.
    screen.write(question);
    const asked = reading.question('');
    reading.on('line', (line) => early.lines.push(line));
    reading.write(early.begun);
    const answer = await asked;
    early.begun = reading.line;
    return answer;
  });
  return hidden.finally(() => screen.write('\n'));
}

async function answered(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  ask: (reading: Interface) => Promise<string>,
): Promise<string> {
  const reading = createInterface({ input, output, terminal: true, historySize: 0 });
  const { promise: ended, reject } = Promise.withResolvers<never>();
  reading.once('close', () => reject(new Failed('Stopped; nothing was changed.')));
  try {
    return await Promise.race([ask(reading), ended]);
  } finally {
    reading.close();
  }
}

/** Longer than any password, and short enough to hold. */
const longest = 4096;

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const end = chunk.indexOf('\n');
    const part = end < 0 ? chunk : chunk.subarray(0, end);
    chunks.push(part);
    size += part.length;
    if (end >= 0 || size > longest) break;
  }
  if (size > longest) throw new WrongUse(`The line on standard input is longer than ${longest} bytes.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r$/, '');
  } catch {
    throw new WrongUse('The line on standard input is not UTF-8.');
  }
}
