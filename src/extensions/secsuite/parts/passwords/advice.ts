// What is said of a password that is too easy to guess: what is wrong with it, and what would help, in two sentences.
import type { Measured } from './strength.ts';

const weaknesses: Readonly<Record<string, string>> = {
  straightRow: 'It runs along a row of the keyboard.',
  keyPattern: 'It is a short way over the keyboard.',
  simpleRepeat: 'It says the same sign again and again.',
  extendedRepeat: 'It says the same again and again.',
  sequences: 'It is a sequence that everybody knows, such as abc or 6543.',
  recentYears: 'A year is easy to guess.',
  dates: 'A date is easy to guess.',
  topTen: 'It is one of the ten that most people use.',
  topHundred: 'It is one of the hundred that most people use.',
  common: 'Many people use it.',
  similarToCommon: 'It is much like one that many people use.',
  wordByItself: 'It is a single word.',
  namesByThemselves: 'A name is easy to guess.',
  commonNames: 'A name that many people have is easy to guess.',
  userInputs: 'It says what others know of you or of this site.',
};

const hints: Readonly<Record<string, string>> = {
  l33t: 'Letters that are written as numbers or signs do not make it harder.',
  reverseWords: 'A word that is written backwards is hardly harder.',
  allUppercase: 'Capitals throughout are as easy as none.',
  capitalization: 'A capital at the beginning hardly makes it harder.',
  dates: 'Leave out dates and years that have to do with you.',
  recentYears: 'Leave out years.',
  associatedYears: 'Leave out years that have to do with you.',
  sequences: 'Leave out sequences.',
  repeated: 'Say nothing twice.',
  longerKeyboardPattern: 'Change the direction more often, or leave the keyboard aside.',
};

const usual = 'Please add a few words that have nothing to do with each other.';

export function adviceOn({ weakness = '', hints: named }: Pick<Measured, 'weakness' | 'hints'>): string {
  const hint = named.map((name) => hints[name]).find((said) => said !== undefined);
  const parts = ['This password is too easy to guess.', weaknesses[weakness] ?? hint, usual];
  return parts.filter((part) => part !== undefined).join(' ');
}
