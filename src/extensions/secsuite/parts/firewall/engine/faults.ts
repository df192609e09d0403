// What is wrong with a rule that somebody wants to save.
import { isMatchType } from './matching.ts';
import { isMutation } from './mutations.ts';
import { placeOf } from './needs.ts';
import { compilePattern } from './patterns.ts';
import { most } from './rule.ts';
import { isRecord } from './subject.ts';

export interface Fault {
  /** Such as `config.rules[0].match.type`. */
  readonly path: string;
  readonly message: string;
}

/** A feed may write `false` for a condition that looks nowhere; people write "rules". */
export type Author = 'person' | 'feed';

/** Nobody reads more of them at once. */
const mostFaults = 10;

export function faultsOf(config: unknown, author: Author = 'person'): readonly Fault[] {
  if (!isRecord(config)) return [noObject('config')];
  const { rules, type, type_params: to } = config;
  const look: Look = { author, conditions: 0 };
  const faults = inConditions(look, rules, 'config.rules', 1).take(mostFaults).toArray();
  if (look.conditions > most.conditions) faults.push({ path: 'config.rules', message: tooMany });
  if (type === 'REDIRECT' && placeOf(to) === undefined) faults.push({ path: 'config.type_params', message: noPlace });
  if (faults.length === 0 && sizeOf(config) > most.bytes) faults.push({ path: 'config', message: tooLarge });
  return faults;
}

interface Look {
  readonly author: Author;
  /** How many there were. */
  conditions: number;
}

const noPlace = 'The URL to redirect to must begin with http:// or https://.';
const tooMany = `A rule has at most ${most.conditions} conditions; split it into several rules.`;
const tooLarge = `A rule can have at most ${most.bytes / 1024} KiB; split it into several rules.`;
const tooDeep = `Conditions and matches can be nested at most ${most.levels} levels deep.`;
const noObject = (path: string): Fault => ({ path, message: 'Send an object.' });

/** Anything that is nested too deeply to be written out has a fault already. */
const sizeOf = (config: object): number => Buffer.byteLength(JSON.stringify(config));

type Faults = Generator<Fault, void>;

function* inConditions(look: Look, conditions: unknown, path: string, level: number): Faults {
  if (level > most.levels) yield { path, message: tooDeep };
  else if (!Array.isArray(conditions)) yield { path, message: 'Send a list of conditions.' };
  else
    for (const [at, condition] of conditions.entries()) {
      if (++look.conditions > most.conditions) return;
      yield* inCondition(look, condition, `${path}[${at}]`, level);
    }
}

function* inCondition(look: Look, condition: unknown, path: string, level: number): Faults {
  if (!isRecord(condition)) {
    yield noObject(path);
    return;
  }
  const { parameter, match, rules, mutations } = condition;
  if (!isParameter(parameter, look.author))
    yield {
      path: `${path}.parameter`,
      message: 'Name the place to check, such as get.name, or "rules" for nested conditions.',
    };
  if (mutations !== undefined) yield* inMutations(mutations, `${path}.mutations`);
  if (rules !== undefined) yield* inConditions(look, rules, `${path}.rules`, level + 1);
  if (match !== undefined) yield* inMatch(match, `${path}.match`, level);
  if ([parameter].flat().includes('write.record')) yield* inRecords(match, `${path}.match.value`);
}

/** What else people would write for a kind of record: with it the rule would never be met. */
const mistaken: Readonly<Record<string, string>> = {
  posts: 'post',
  pages: 'page',
  media: 'attachment',
  blocks: 'wp_block',
  navigation: 'wp_navigation',
  categories: 'category',
  tags: 'post_tag',
  terms: 'category',
  comments: 'comment',
  users: 'user',
  application_passwords: 'application_password',
  settings: 'setting',
  extensions: 'extension',
  plugins: 'extension',
};

function* inRecords(match: unknown, path: string): Faults {
  for (const name of [isRecord(match) ? match.value : undefined].flat())
    if (typeof name === 'string' && Object.hasOwn(mistaken, name))
      yield { path, message: `\`${name}\` is not a kind of record. Write \`${mistaken[name]}\`.` };
}

const isParameter = (parameter: unknown, author: Author): boolean =>
  typeof parameter === 'string' ||
  (Array.isArray(parameter) && parameter.every((one) => typeof one === 'string')) ||
  (author === 'feed' && (parameter === false || parameter === undefined || parameter === null));

function* inMutations(mutations: unknown, path: string): Faults {
  if (!Array.isArray(mutations)) yield { path, message: 'Send a list of names.' };
  else if (mutations.length > most.mutations)
    yield { path, message: `A condition has at most ${most.mutations} mutations.` };
  else
    for (const [at, name] of mutations.entries())
      if (!isMutation(name)) yield { path: `${path}[${at}]`, message: 'This mutation does not exist.' };
}

function* inMatch(match: unknown, path: string, level: number): Faults {
  if (level > most.levels) yield { path, message: tooDeep };
  else if (!isRecord(match)) yield noObject(path);
  else {
    if (!isMatchType(match.type)) yield { path: `${path}.type`, message: 'This type of match does not exist.' };
    const fault = match.type === 'regex' ? compilePattern(match.value).fault : undefined;
    if (fault !== undefined) yield { path: `${path}.value`, message: fault };
    if (match.match !== undefined) yield* inMatch(match.match, `${path}.match`, level + 1);
  }
}
