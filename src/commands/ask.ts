// What a command is given while it runs. What it asks of the program is loaded when it asks.
import { resolve } from 'node:path';
import type { Ask, Command } from '#cli/command.ts';
import type { Io } from '#cli/io.ts';
import { silentProgress } from '#cli/progress.ts';
import { readConfig } from '../config.ts';
import type { parse } from './arguments.ts';
import { createInput } from './input.ts';

type Given = Pick<ReturnType<typeof parse>, 'flags' | 'options' | 'words' | 'lists'>;

export function createAsk({ usual }: Pick<Command, 'usual'>, { flags, options, words, lists }: Given, io: Io): Ask {
  const { env, cwd, stdin, stdout, stderr, progress = silentProgress } = io;
  const ask: Ask = {
    options,
    words,
    lists,
    io,
    env,
    input: createInput(stdin, stderr),
    progress,
    out: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    path: (text) => resolve(cwd, text),
    config: () => readConfig({ flags, env, usual, cwd }),
    inSite: async (work, how) => (await import('./opened.ts')).inSite(ask, work, how),
    standing: async () => (await import('./options.ts')).standing(ask.config(), ask),
    serve: async () => (await import('./serve.ts')).command.run(ask),
  };
  return ask;
}
