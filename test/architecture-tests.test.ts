// What tests of the quick run may depend on. The full run has the others: *.full.test.ts and the folders faults, load and s3.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Import, importsIn, type Source, sources } from '#test/imports.ts';
import { linesWith } from '#test/walls.ts';

const isQuick = ({ path }: Pick<Source, 'path'>): boolean =>
  !path.endsWith('.full.test.ts') && !/^test\/(?:faults|load|s3)\//.test(path);

/** They make a test pass or fail by the speed of the machine, by what else a process holds, or by chance. */
const realTime = [
  /\b(?:withinASecond|slowness|inTime|staysLinear|processorTime)\(/,
  /\b(?:Date|performance)\.now\(/,
  /\bMath\.random\(/,
  /\bprocess\.(?:memoryUsage|cpuUsage|resourceUsage)\b/,
  // Sleeps.
  /\bnew Promise\b.*\bsetTimeout\(/,
  /\{ wait: \d/,
];

function bringsRealTime({ file, named, text }: Import): boolean {
  if (named === 'node:timers/promises') return /\b(?:setTimeout|setInterval|scheduler)\b|\*/.test(text);
  return file === 'test/support/in-time.ts' || file === 'test/support/doubling.ts';
}

const dependsOnRealTime = (one: Pick<Source, 'path' | 'text' | 'imports'>): boolean =>
  one.imports.some(bringsRealTime) || realTime.some((pattern) => linesWith([one], pattern).length > 0);

/** These still do: mend them or move them to the full run, and take them off this list. */
const exceptions: readonly string[] = [
  'src/kernel/args/excess.test.ts',
  'src/kernel/http/failures.test.ts',
  'src/kernel/table.test.ts',
  'src/lib/fold.test.ts',
  'src/lib/slug.test.ts',
  'src/lib/tags.test.ts',
  'src/lib/xml.test.ts',
  'src/site/content/filter/filter.test.ts',
  'src/site/content/filter/nested.test.ts',
  'src/site/content/media/file-references.test.ts',
  'src/site/content/rendering/addresses.test.ts',
  'src/site/content/rendering/images.test.ts',
  'src/site/content/rendering/links.test.ts',
  'src/site/content/rendering/rendering.test.ts',
  'src/site/content/rendering/shortcodes/syntax.test.ts',
  'src/site/content/rendering/typography.test.ts',
  'src/site/identity/passwords/resets.test.ts',
  'src/site/identity/sign-in/sign-in.test.ts',
  'src/site/pages/public/parts.test.ts',
  'src/store/sqlite/group.test.ts',
];

describe('Tests of the quick run', () => {
  const tests = sources('{src,test,bench,docs,examples}/**/*.test.ts').filter(isQuick);

  test('depend on no real time, no memory of the process and no chance', () => {
    assert.ok(tests.length > 100);
    const offenders = tests.filter(dependsOnRealTime).map(({ path }) => path);
    assert.deepEqual(offenders, exceptions);
  });

  test('would be seen if they did', () => {
    const [timers, limits] = ['node:timers/promises', '#test/in-time.ts'];
    const planted = [
      `import { setTimeout as pause } from '${timers}';`,
      `import { inTime } from '${limits}';`,
      'await withinASecond(() => seen(), true);',
      'const begun = performance.now();',
      'const at = Date.now();',
      'await pause(Math.random() * 150);',
      'assert.ok(process.memoryUsage().rss < 1);',
      'await new Promise((resolve) => setTimeout(resolve, 50));',
      "speak(port, ['a', { wait: 50 }, 'b']);",
    ];
    const path = 'src/lib/a.test.ts';
    const unseen = planted.filter((text) => !dependsOnRealTime({ path, text, imports: importsIn(path, text) }));
    assert.deepEqual(unseen, []);
    const harmless = [`import { setImmediate as turn } from '${timers}';`, '// Date.now() is real.'];
    const seen = harmless.filter((text) => dependsOnRealTime({ path, text, imports: importsIn(path, text) }));
    assert.deepEqual(seen, []);
  });
});
