import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { checkRows } from '#test/rows.ts';
import { category, comment, exportOf, head, item } from '#test/wxr.ts';
import { type Gathered, Gathering } from './frames.ts';
import { type Piece, readExport } from './read.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-export-'));
});
after(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const path = join(folder, 'export.xml');
  writeFileSync(path, text);
  return path;
}

/** Titles of records, and what is told of the others. */
async function read(path: string): Promise<{ titles: string[]; faults: string[]; refused?: string }> {
  const [titles, faults]: [string[], string[]] = [[], []];
  const taken = (piece: Piece): void => {
    if (piece.kind === 'record') titles.push(piece.record.title);
    if (piece.kind === 'fault') faults.push(`${piece.fault.line} ${piece.fault.code}`);
  };
  try {
    for await (const piece of readExport(path, () => {})) taken(piece);
    return { titles, faults };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { titles, faults, refused: error.message };
  }
}

const linesOf = (text: string): number => text.split('\n').length;

describe('An export file', () => {
  test('that ends anywhere is read as far as it is whole, and it is told that it ends', async () => {
    const first = `${head}${item({ title: 'A' })}`;
    const second = `\n${item({ title: 'B' }, '<!-- about -->', category('post_tag', 'x', 'X'), comment(1))}`;
    const whole = exportOf();
    const rest = whole.slice(head.length);
    for (let end = first.length + 1; end < first.length + second.length; end += 1) {
      const { titles, faults, refused } = await read(fileOf(`${first}${second}${rest}`.slice(0, end)));
      const about = `${first}${second}`.slice(end - 20, end);
      assert.deepEqual([titles, refused, faults.length], [['A'], undefined, 1], about);
      assert.match(faults[0]!, /^\d+ truncated$/, about);
    }
  });

  test('with a document type is refused before its first record, and read on after it', async () => {
    const doctype = '<!DOCTYPE a [<!ENTITY b "c">]>';
    const early = await read(fileOf(`${head}${doctype}${item({ title: 'A' })}</channel></rss>`));
    assert.deepEqual([early.titles, early.refused?.includes('holds a document type')], [[], true]);
    const begun = `${head}${item({ title: 'A' })}\n<item><title>B</title>`;
    const late = await read(fileOf(`${begun}${doctype}</item>${item({ title: 'C' })}</channel></rss>`));
    assert.deepEqual(late, { titles: ['A', 'C'], faults: [`${linesOf(begun)} malformed`] });
    const between = `${head}${item({ title: 'A' })}\n`;
    const loose = await read(fileOf(`${between}${doctype}<!ELEMENT a>${item({ title: 'C' })}</channel></rss>`));
    assert.deepEqual(loose.titles, ['A', 'C']);
    assert.equal(loose.faults[0], `${linesOf(between)} malformed`);
  });

  test('that names another version once something of it was read is read on', async () => {
    const text = `${head}${item({ title: 'A' })}<rss xmlns:wp="http://wordpress.org/export/9.9/"/>${item({ title: 'C' })}</channel></rss>`;
    assert.deepEqual(await read(fileOf(text)), { titles: ['A', 'C'], faults: [] });
  });

  test('is a file: a folder and a pipe are refused at once', async () => {
    assert.match((await read(folder)).refused ?? '', /is not a file/);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    assert.match((await read(pipe)).refused ?? '', /is not a file/);
  });
});

describe('What is too much for one record', () => {
  const text = 'x'.repeat(2 ** 20);
  const cases: readonly (readonly [what: string, piece: string, times: number, code: string])[] = [
    ['elements that hold nothing', '<category/>', 10_001, 'too_large'],
    ['elements that nobody knows', '<a/>', 340_000, 'too_large'],
    ['texts', `<b>${text}</b>`, 33, 'too_large'],
    ['texts between what is said about it', `${comment(1).repeat(500)}<b>${text}</b>`, 40, 'too_large'],
    ['attributes', `<category domain="${'x'.repeat(8_000)}"/>`, 4_200, 'too_large'],
  ];
  test('is named by line as soon as it is too much, and the next record comes', () =>
    checkRows(cases, ([, piece, times, code]) => {
      const gathering = new Gathering();
      const told: Gathered[] = [...gathering.feed(`${head}<item>\n<title>A</title>`)];
      const line = gathering.line;
      let fed = 0;
      for (; fed <= times && !told.some(({ kind }) => kind === 'broken'); fed += 1) told.push(...gathering.feed(piece));
      assert.ok(fed <= times, `${fed} of ${times}`);
      const begun = told.length;
      told.push(...gathering.feed(`${piece.repeat(10)}</item>\n${item({ title: 'B' })}`));
      const broken = told.find((one) => one.kind === 'broken');
      assert.deepEqual([broken?.kind === 'broken' && broken.code, broken?.line], [code, line]);
      const titles = told.slice(begun).flatMap((one) => (one.kind === 'thing' ? [one.thing.texts.title] : []));
      assert.deepEqual(titles, ['B']);
    }));

  test('is not what is said about it, however much that is', () => {
    const gathering = new Gathering();
    const told = [...gathering.feed(`${head}<item><title>A</title>`)];
    const long = comment(1, { content: 'x'.repeat(2 ** 19) });
    for (let fed = 0; fed < 100; fed += 1) told.push(...gathering.feed(long));
    told.push(...gathering.feed('</item>'));
    assert.deepEqual(
      told.filter(({ kind }) => kind === 'broken'),
      [],
    );
    const said = told.flatMap((one) => (one.kind === 'thing' ? one.thing.things : []));
    assert.equal(said.length, 100);
  });
});
