import { type Ask, Failed, type Option, WrongUse } from './command.ts';

export const yes: Option = { meaning: 'Do not ask for confirmation' };

/** Asks before something is done; `why` says what asks for care. Where nobody can be asked it was said beforehand, or is refused at once. */
export function consentOf({ options, input }: Ask, why = 'This cannot be undone'): (question: string) => Promise<void> {
  if (options.yes !== undefined) return async () => {};
  if (!input.hasTerminal) throw new WrongUse(`${why}, and there is no terminal to ask for confirmation; add --yes.`);
  return async (question) => {
    const answer = await input.ask(`${question} Type yes: `);
    if (answer.trim().toLowerCase() !== 'yes') throw new Failed('Nothing was changed.');
  };
}
