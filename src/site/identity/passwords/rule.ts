// Which passwords may be chosen: one rule for every way in. Passwords and hashes that exist already stay valid.
import { readFile } from 'node:fs/promises';
import type { Roles } from '../roles.ts';
import { composed } from './composed.ts';
import { passwordFault } from './passwords.ts';

export interface PasswordRule {
  /** The fewest characters for an account with these roles. */
  shortestFor(roles: readonly string[]): number;
  /** Why an account with these roles cannot have it, as a sentence. */
  fault(password: string, roles: readonly string[]): Promise<string | undefined>;
}

export const shortestOfAll = 8;
/** For accounts that can publish or manage anything. */
export const shortestOfTrusted = 12;

/** Accounts that may do no more than this can only write drafts of their own. */
const draftCapabilities = new Set(['read', 'edit_posts', 'delete_posts', 'level_0', 'level_1']);

export function createPasswordRule({ capabilitiesOf }: Pick<Roles, 'capabilitiesOf'>): PasswordRule {
  const isCommon = createCommonPasswords();
  const shortestFor = (roles: readonly string[]): number =>
    capabilitiesOf(roles).isSubsetOf(draftCapabilities) ? shortestOfAll : shortestOfTrusted;
  return {
    shortestFor,
    async fault(password, roles) {
      const fault = passwordFault(password) ?? lengthFault(password, shortestFor(roles));
      if (fault !== undefined) return fault;
      return (await isCommon(password)) ? commonFault : undefined;
    },
  };
}

/** What is wrong with a password whoever it is for. */
export const faultForAnybody = (password: string): string | undefined =>
  passwordFault(password) ?? lengthFault(password, shortestOfAll);

/** Spaces around a password make it no harder to guess. */
const guessed = (password: string): string => composed(password).trim();

function lengthFault(password: string, shortest: number): string | undefined {
  if ([...guessed(password)].length >= shortest) return undefined;
  const whose = shortest === shortestOfAll ? '' : ' of an account that can publish or manage';
  return `The password${whose} needs at least ${shortest} characters. Choose a longer one.`;
}

const commonFault = 'This password is one of the 49,000 most common passwords. Choose another password.';

/** The list is read when the first password is chosen. Only those that are long enough at all are kept of it. */
function createCommonPasswords(): (password: string) => Promise<boolean> {
  let known: Promise<ReadonlySet<string>> | undefined;
  return async (password) => {
    known ??= readCommon();
    return (await known).has(guessed(password).toLowerCase());
  };
}

/** The list has about 49,000 passwords in lowercase. Few of the first 10,000 have 12 characters, so all of it is used. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const file = new URL(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'));
  const all: readonly string[] = JSON.parse(await readFile(file, 'utf8'));
  return new Set(all.filter(({ length }) => length >= shortestOfAll));
}
