// The words of the pages and of the texts in the code: short sentences with an actor, in the terms that a reader searches for.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sources } from '#test/imports.ts';
import { literalsOf } from '#test/literals.ts';

const root = join(import.meta.dirname, '..');

/** How many words a sentence has at most, by page. */
const pages: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => [`docs/${name}`, 35]),
  ),
  'README.md': 25,
  'docs/owner.md': 25,
};

/** Words that hide who acts, old words, and pictures for machinery, each with the word to write instead. */
const avoided: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:whoever|whomever|somebody|nobody)\b/i, 'visitor, user, account, site owner or operator'],
  [/\banew\b|\bafresh\b/i, 'again'],
  [/\ball the same\b/i, 'even if'],
  [/\b(?:works?|is|are) no more\b|\bany more\b/i, 'no longer'],
  [/\bso many\b|\bfor a while\b|\bquarter of an hour\b/i, 'a number with its unit'],
  [/\b(?:lets?|letting) in\b|\bkept? out\b/i, 'unblock, lock out, ban or block'],
  [/\b(?:errand|knock)s?\b/i, 'request, job or setting'],
  [/\bletters? (?:is|are|was|were) (?:written|sent)\b|\bword of\b/i, 'email'],
  [/\bmade up\b|\bmends?\b|\blaid down\b/i, 'create, fix or set'],
  [/^#+ (?:What|Whose|Whoever)\b/m, 'a noun phrase or a task as heading'],
];

/** Further words of the texts in the code. The pages are held to them when they are rewritten. */
const avoidedInCode: typeof avoided = [
  ...avoided,
  [/\b(?:anybody|everybody|anyone|everyone|someone|strangers?|people)\b/i, 'visitor, user or account'],
  [/\b(?:half an hour|just now|in a moment)\b/i, 'a number with its unit, or "at the moment"'],
  [/\bkeeps? out\b|\bfor good\b/i, 'lock out, ban, block or permanently'],
  [/\b(?:takes? away|taken? back|brings? back|brought back|puts? back)\b/i, 'delete, revoke or restore'],
  [/\bswitch(?:es|ed|ing)? (?:on|off)\b/i, 'turn on or turn off'],
  [/\b(?:mails|mailed)\b/i, 'email'],
  [/\b(?:mediums?|sound and film)\b/i, 'attachment, audio and video'],
  [/\bsecond (?:proof|step|means|factor)s?\b/i, 'two-factor authentication'],
  [/\bwhite ?list\b|\bauthorised\b|\bknown device/i, 'trusted IP address or trusted device'],
  [/\blook(?:s|ed|ing)? after\b/i, 'manage'],
  [/\bmay be left out\b|\busual(?:ly)?\b|\bas it was\b|\bshall\b/i, 'optional, default, value'],
  [/\bsmall letters\b|\bblanks\b/i, 'lowercase letters, spaces'],
  [/\bis no (?:address|list|file|number|ZIP|JSON|text|month|moment)\b/i, '"is not a …"'],
  [/, for (?:it|they|there|nobody)\b/, 'because'],
  [/\b(?:colou?r(?<!color)|favourite|behaviour|neighbour|licence)s?\b/i, 'the American spelling'],
  [/\b(?:organ|recogn|optim|author|initial|normal)is(?:e[ds]?|ing|ation)\b/, 'the American spelling'],
  [/\boops\b|\bsorry\b/i, 'what is wrong and what to do'],
];

/** Texts in the code that keep such a word, each with the reason. */
const keptInCode: readonly (readonly [text: RegExp, reason: string])[] = [
  [/alter table .* alter blanks set storage/, 'the name of a column'],
  [/__gatehouse_words/, 'a script for a shell'],
];

/** The page without code, addresses of links and tables, whose cells are no sentences. */
const proseOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, ']');

/** A sentence ends with a sign and a space, or where a paragraph, a list item, a heading or a row of a table ends. */
const sentencesOf = (prose: string): string[] =>
  prose
    .split(/(?<=[.!?:])\s+|\n\n|\n(?=\s*(?:[-*|#]|\d+\.))|\|/)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');

test('pages use the words that readers search for', () => {
  const found = Object.keys(pages).flatMap((page) =>
    avoided.flatMap(([pattern, instead]) => {
      const match = pattern.exec(proseOf(page));
      return match === null ? [] : [`${page}: "${match[0]}". Write ${instead}.`];
    }),
  );
  assert.deepEqual(found, []);
});

test('sentences of pages are short', () => {
  const long = Object.entries(pages).flatMap(([page, most]) =>
    sentencesOf(proseOf(page))
      .filter((sentence) => sentence.split(' ').length > most)
      .map((sentence) => `${page}: ${sentence}`),
  );
  assert.deepEqual(long, []);
});

/** Three words in a row: names, paths, classes and most of the SQL have fewer. */
const words = /[A-Za-z][a-z’'-]*,? (?:[A-Za-z…][a-z’'-]*,? )[A-Za-z…][a-z’'-]*/;

/** SQL, style sheets, scripts and lists of names are not read. */
const codes = /\b(?:select|insert into|delete from|create (?:index|table)|order by)\b|[{}=]|^[\w:-]+(?: [\w:-]+){20,}/;

/** Texts in the code that visitors, users, operators or developers see, without markup and names in code. */
function shown(): { at: string; text: string }[] {
  return sources('src/**/*.ts')
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, text }) => literalsOf(path, text))
    .filter(({ text }) => words.test(text) && !keptInCode.some(([kept]) => kept.test(text)))
    .map(({ at, text }) => ({
      at,
      text: text
        .replaceAll(/<style[\s\S]*?<\/style>/g, '')
        .replaceAll(/<[^>]*>/g, '\n\n')
        .replaceAll(/`[^`\n]*`/g, 'code'),
    }));
}

test('texts in the code use the words that readers search for', () => {
  const found = shown().flatMap(({ at, text }) =>
    avoidedInCode.flatMap(([pattern, instead]) => {
      const match = pattern.exec(text);
      return match === null ? [] : [`${at}: "${match[0]}". Write ${instead}.`];
    }),
  );
  assert.deepEqual(found, []);
});

test('sentences in the code are short', () => {
  const long = shown().flatMap(({ at, text }) =>
    sentencesOf(text)
      .filter((sentence) => sentence.split(' ').length > 35 && !codes.test(sentence))
      .map((sentence) => `${at}: ${sentence}`),
  );
  assert.deepEqual(long, []);
});
