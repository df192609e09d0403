// What a shell offers after `gatehouse` when Tab is pressed. The shell asks the program, so that it offers what this version takes.
import { type Command, type Family, type ListedCommand, WrongUse } from '#cli/command.ts';
import { described, flagOf } from '../config.ts';
import { flagsOf, settingsOf } from './arguments.ts';
import { plain } from './help.ts';

/**
 * Each hands over the words as they stand, the one under the cursor last, and reads a line for each that can stand there: the word, a
 * tab, what it means. No word is evaluated. Where nothing is answered, the shell offers files.
 */
const scripts: Readonly<Record<string, string>> = {
  bash: `# Enable it with: source <(gatehouse completion bash)
_gatehouse() {
  local word meaning
  COMPREPLY=()
  while IFS=$'\\t' read -r word meaning; do
    COMPREPLY+=("$word")
  done < <(gatehouse completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -o default -F _gatehouse gatehouse`,
  zsh: `#compdef gatehouse
# Enable it after compinit with: source <(gatehouse completion zsh)
_gatehouse() {
  local word meaning
  local -a offered
  while IFS=$'\\t' read -r word meaning; do
    offered+=("\${word//:/\\\\:}:$meaning")
  done < <(gatehouse completion words -- "\${(@)words[2,CURRENT]}" 2> /dev/null)
  if (( $#offered )); then _describe gatehouse offered; else _files; fi
}
compdef _gatehouse gatehouse`,
  fish: `# Enable it with: gatehouse completion fish | source
function __gatehouse_words
  set -l before (commandline -opc)
  gatehouse completion words -- $before[2..] (commandline -ct) 2> /dev/null
end
complete -c gatehouse -e
complete -c gatehouse -n 'count (__gatehouse_words) > /dev/null' -f
complete -c gatehouse -a '(__gatehouse_words)'`,
};

export const completionOf = (commands: readonly ListedCommand[]): Command => ({
  name: 'completion',
  about: `Prints a script that completes the commands and flags of gatehouse in your shell. Put one of these lines into its startup file:
  bash  source <(gatehouse completion bash)
  zsh   source <(gatehouse completion zsh)
  fish  gatehouse completion fish | source
The shell then calls "gatehouse completion words" with the words on the command line.`,
  settings: [],
  words: [
    { name: 'SHELL', meaning: 'bash, zsh or fish' },
    {
      name: 'WORD',
      meaning: 'The words on the command line, if SHELL is "words"',
      optional: true,
      many: true,
      empty: true,
    },
  ],
  run: async ({ words: { SHELL = '' }, lists, out }) => {
    const typed = lists.WORD ?? [];
    if (SHELL === 'words') for (const { name, summary } of await offered(commands, typed)) out(`${name}\t${summary}`);
    else if (scripts[SHELL] === undefined || typed.length > 0)
      throw new WrongUse(
        `The shell must be one of ${Object.keys(scripts).join(', ')}; see gatehouse completion --help.`,
      );
    else out(scripts[SHELL]);
    return 0;
  },
});

type Member = ListedCommand | Family['members'][number];

interface Offered {
  readonly name: string;
  readonly summary: string;
}

/** What can stand in place of the last of these words. */
async function offered(
  members: readonly Member[],
  [word = '', ...more]: readonly string[],
): Promise<readonly Offered[]> {
  if (more.length === 0) return beginning(word, members);
  const found = members.find(({ name }) => name === word);
  if (found === undefined) return [];
  const command = 'load' in found ? (await found.load()).command : found.command;
  return 'members' in command ? offered(command.members, more) : flagsFor(command, more);
}

/** Where a value of one's own stands, or a word of the command, nothing is offered. */
function flagsFor(command: Command, words: readonly string[]): readonly Offered[] {
  const { taking, switches } = flagsOf(command);
  const [before, typed] = [words.slice(0, -1), words.at(-1)!];
  // Bash makes words of their own of a `=` and what follows.
  const last = before.at(-1) === '=' ? before.at(-2) : before.at(-1);
  const isValue = taking.some((name) => last === `--${name}`);
  if (isValue || before.includes('--') || (typed === '' && command.words !== undefined)) return [];
  const ofSettings = new Map(settingsOf(command).map((name) => [flagOf(name), plain(described(name).meaning)]));
  const meaningOf = (name: string) =>
    command.options?.[name]?.meaning ?? ofSettings.get(name) ?? 'Print the help of this command';
  const all = [...taking, ...switches].map((name) => ({ name: `--${name}`, summary: meaningOf(name) }));
  return beginning(typed, all);
}

const beginning = (typed: string, all: readonly Offered[]): readonly Offered[] =>
  all.filter(({ name }) => name.startsWith(typed));
