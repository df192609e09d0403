// The words of the pages: short sentences with an actor, in the terms that a reader searches for.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { operatorPages } from '../docs/operator-pages.ts';

/** Pages that keep the rules, and how many words a sentence of theirs has at most. The other pages are still to be rewritten. */
const pages: Readonly<Record<string, number>> = {
  'README.md': 25,
  'docs/owner.md': 25,
  'docs/packages.md': 35,
  'docs/performance.md': 35,
  'docs/developing.md': 35,
  'docs/extension.md': 35,
  'docs/firewall.md': 35,
  'docs/security.md': 35,
  'docs/security-checklist.md': 35,
  'docs/settings.md': 35,
  'docs/testing.md': 35,
  ...Object.fromEntries(operatorPages.map((name) => [`docs/${name}`, 35])),
  'docs/tour.md': 35,
  'docs/glossary.md': 35,
  'docs/caches.md': 35,
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

/** The page without code, addresses of links and tables, whose cells are no sentences. */
const proseOf = (page: string): string =>
  readFileSync(join(import.meta.dirname, '..', page), 'utf8')
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
