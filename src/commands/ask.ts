// What a command is given while it runs. What it asks of the program is loaded when it asks.
import type { Ask, Command } from '#cli/command.ts';
import { readConfig } from '../config.ts';
import type { parse } from './arguments.ts';

type Given = Pick<ReturnType<typeof parse>, 'flags' | 'options' | 'words' | 'lists'>;

export function createAsk(
  { usual }: Pick<Command, 'usual'>,
  { flags, options, words, lists }: Given,
  around: Pick<Ask, 'env' | 'input' | 'out' | 'note'>,
): Ask {
  const ask: Ask = {
    options,
    words,
    lists,
    ...around,
    config: () => readConfig({ flags, env: around.env, usual }),
    inSite: async (work, how) => (await import('./opened.ts')).inSite(ask, work, how),
    standing: async () => (await import('./options.ts')).standing(ask.config(), ask),
    serve: async () => (await import('./serve.ts')).command.run(ask),
  };
  return ask;
}
