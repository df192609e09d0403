// Whatever is typed: what is a tag stays one, sign by sign, and nothing else becomes one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import '#test/seeded.ts';
import { eachToken } from '#lib/html-tokens.ts';
import { linked } from './links.ts';
import { smilies, typography } from './typography.ts';

const pieces =
  `'|"|<|>|/|=| |a|p|<p |<i title="|<i title='|<pre>|</pre>|<code>|</code>|<script>|</script>|<!--|-->|--|-|...|1x2|5|&|&lt;|&quot;|` +
  ':)|[|]|[gallery|[/gallery]|[[gallery]]|http://a.test/|www.a.test|a@b.test|\ufdd0|\ufdd1|\ufdd2|\0|\n|``|(tm)';
const typed = fc.array(fc.constantFrom(...pieces.split('|')), { maxLength: 30 }).map((some) => some.join(''));

function tagsOf(html: string): string[] {
  const tags: string[] = [];
  eachToken(html, ({ kind, start, end }) => {
    if (kind !== 'text') tags.push(html.slice(start, end).replace(/[\ufdd0-\ufdd4]/g, '\ufffd'));
  });
  return tags;
}

test('Typography and faces touch no tag', () =>
  fc.assert(
    fc.property(typed, (text) => {
      const shown = smilies(typography(text, new Set(['gallery'])));
      assert.deepEqual(tagsOf(shown), tagsOf(text));
    }),
    { numRuns: 2_000 },
  ));

test('Links are the only tags that are made of addresses', () =>
  fc.assert(
    fc.property(typed, (text) => {
      const shown = linked(text, (rest) => typography(rest, new Set()));
      const mine = /<a href="(?:http:\/\/|mailto:)[^<>"]*"(?: rel="nofollow ugc")?>[^<>"]*<\/a>/g;
      assert.deepEqual(tagsOf(shown.replace(mine, '')), tagsOf(text));
    }),
    { numRuns: 2_000 },
  ));
