import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { archiveOf, archivesIn, written } from '#test/archives.ts';
import { testEngine } from '#test/databases.ts';
import { everyKind, hardRows } from '#test/every-kind.ts';
import { checkRows } from '#test/rows.ts';
import { createLocalFiles } from '../../files/local/local.ts';
import { headerOf, type Manifest, type TableEntry } from './format.ts';
import type { Row } from './rows.ts';
import type { ArchiveWriter } from './writer.ts';

const table: TableEntry = { name: 'notes', columns: [{ name: 'text', kind: 'text' }] };
const manifest: Manifest = {
  version: '1',
  created_at: '2026-11-20T12:00:00Z',
  engine: 'sqlite',
  migrations: [],
  tables: [table],
  media: true,
};

async function* rows(...all: Row[]): AsyncGenerator<Row> {
  yield* all;
}

const begun = async (writer: ArchiveWriter, more: Partial<Manifest> = {}): Promise<void> => {
  await writer.begin({ ...manifest, ...more });
  await writer.table(table, rows({ text: 'a' }));
};

const add = async (writer: ArchiveWriter, path: string, content = 'x'): Promise<void> => {
  const file = { path, size: content.length, modified: manifest.created_at };
  await writer.file(file);
  await writer.content(Buffer.from(content));
  await writer.whole(file);
};

describe('An archive', () => {
  const engine = testEngine('sqlite');
  const archives = archivesIn(engine);

  async function small(): Promise<Buffer> {
    const place = await engine.place();
    const store = await engine.store([everyKind], place);
    await store.write((tx) => tx.insertInto('kinds').values({ text: 'one' }).execute());
    mkdirSync(join(place.data, 'media'));
    const files = createLocalFiles(join(place.data, 'media'));
    await files.put('a/b.txt', Buffer.from('content'));
    return (await archiveOf(place, [everyKind], files)).bytes;
  }

  test('that is cut off at any byte is refused', async () => {
    const bytes = await small();
    await archives.inspect(bytes);
    for (let length = 0; length < bytes.length; length++)
      await assert.rejects(archives.inspect(bytes.subarray(0, length)), { name: 'ArchiveProblem' }, `at ${length}`);
  });

  test('with any byte changed is refused, and so is one with something after it', async () => {
    const bytes = await small();
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1 << (at % 8);
      await assert.rejects(archives.inspect(changed), { name: 'ArchiveProblem' }, `at ${at}`);
    }
    await assert.rejects(archives.inspect(Buffer.concat([bytes, Buffer.from('x')])), { name: 'ArchiveProblem' });
  });

  test('carries every kind of value as it is', async () => {
    const place = await engine.place();
    const store = await engine.store([everyKind], place);
    await store.write((tx) => tx.insertInto('kinds').values(hardRows.toReversed()).execute());
    const seen: Row[] = [];
    const { bytes } = await archiveOf(place, [everyKind]);
    const { end, manifest } = await archives.inspect(bytes, { row: (row) => void seen.push(row) });
    assert.deepEqual(seen, hardRows);
    assert.deepEqual(end.rows, [hardRows.length]);
    assert.deepEqual(
      manifest.tables.map(({ name, numbered, highest }) => [name, numbered, highest]),
      [['kinds', 'id', 2 ** 52 - 9]],
    );
  });

  test('of a newer format is refused by name, and another file is no archive', async () => {
    const bytes = await small();
    const newer = Buffer.from(bytes.toString('latin1').replace('gatehouse-backup 1', 'gatehouse-backup 2'), 'latin1');
    await assert.rejects(archives.inspect(newer), {
      message: /written by a newer version of Gatehouse; use that version\.$/,
    });
    await assert.rejects(archives.inspect(Buffer.from('PK\x03\x04')), {
      message: /^This is not an archive of Gatehouse/,
    });
  });

  test('holds what changed while it was read only once it is whole', async () => {
    const bytes = await written(async (writer) => {
      await begun(writer);
      await writer.file({ path: 'a', size: 9, modified: manifest.created_at });
      await writer.content(Buffer.from('torn'));
      await writer.void();
      await add(writer, 'a', 'whole');
    });
    const { end } = await archives.inspect(bytes);
    assert.deepEqual([end.files, end.bytes], [1, 5]);
  });

  const hostile: Record<string, (writer: ArchiveWriter) => Promise<void>> = {
    'a path that leads out': async (writer) => {
      await begun(writer);
      await add(writer, '../secret');
    },
    'an absolute path': async (writer) => {
      await begun(writer);
      await add(writer, '/etc/passwd');
    },
    'a path with a zero byte': async (writer) => {
      await begun(writer);
      await add(writer, 'a\0b');
    },
    'a path of the place for unfinished files': async (writer) => {
      await begun(writer);
      await add(writer, '.unfinished/x');
    },
    'a path that comes twice': async (writer) => {
      await begun(writer);
      await add(writer, 'a');
      await add(writer, 'a');
    },
    'paths that are not in order': async (writer) => {
      await begun(writer);
      await add(writer, 'b');
      await add(writer, 'a');
    },
    'a file longer than it says': async (writer) => {
      await begun(writer);
      await writer.file({ path: 'a', size: 1, modified: manifest.created_at });
      await writer.content(Buffer.from('xx'));
      await writer.whole({ path: 'a', size: 1, modified: manifest.created_at });
    },
    'a file shorter than it says': async (writer) => {
      await begun(writer);
      await writer.file({ path: 'a', size: 9, modified: manifest.created_at });
      await writer.whole({ path: 'a', size: 9, modified: manifest.created_at });
    },
    'files although it says it has none': async (writer) => {
      await begun(writer, { media: false });
      await add(writer, 'a');
    },
    'a table whose name is SQL': async (writer) => {
      await writer.begin({ ...manifest, tables: [{ ...table, name: 'users"; drop table users; --' }] });
    },
    'fewer tables than it says': async (writer) => {
      await writer.begin({ ...manifest, tables: [table, { ...table, name: 'more' }] });
      await writer.table(table, rows());
    },
    'a value that is not of its column': async (writer) => {
      const typed = { ...table, columns: [{ name: 'text', kind: 'integer' as const }] };
      await writer.begin({ ...manifest, tables: [typed] });
      await writer.table(typed, rows({ text: 'no number' }));
    },
    'a text that is half a sign': async (writer) => {
      await writer.begin(manifest);
      await writer.table(table, rows({ text: '\uD800' }));
    },
    'two manifests': async (writer) => {
      await begun(writer);
      await begun(writer);
    },
  };
  test('made to do harm is refused', () =>
    checkRows(Object.entries(hostile), async ([, write]) => {
      await assert.rejects(archives.inspect(await written(write)), { message: /^The archive is damaged: / });
    }));

  test('that unpacks to more than it says, or says more than is allowed, is refused before it is unpacked', async () => {
    const bomb = zstdCompressSync(Buffer.alloc(256 * 2 ** 20));
    for (const says of [1000, 2 ** 32 - 1]) {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(says);
      const block = Buffer.concat([length, bomb]);
      const head = await written((writer) => writer.begin(manifest));
      const name = Buffer.from('"notes"');
      const upToEnd = head.subarray(0, head.lastIndexOf('E', head.length - 100));
      const all = Buffer.concat([upToEnd, headerOf('table', name), name, headerOf('rows', block), block]);
      await assert.rejects(archives.inspect(all), { message: /^The archive is damaged: a block of notes/ });
    }
  });

  test('with a record that claims a length beyond its kind is refused before room is made for it', async () => {
    const bytes = await written((writer) => begun(writer));
    const at = bytes.indexOf('\n') + 1;
    bytes.writeUInt32BE(2 ** 32 - 1, at + 1);
    await assert.rejects(archives.inspect(bytes), { message: /a record is too long/ });
  });

  test('takes a row of 40 MB, and names the table of one that is too long', async () => {
    const long = 'ä'.repeat(20 * 2 ** 20);
    const bytes = await written(async (writer) => {
      await writer.begin(manifest);
      await writer.table(table, rows({ text: 'before' }, { text: long }, { text: 'after' }));
    });
    const lengths: number[] = [];
    await archives.inspect(bytes, { row: ({ text }) => void lengths.push(String(text).length) });
    assert.deepEqual(lengths, [6, long.length, 5]);
    const tooLong = written(async (writer) => {
      await writer.begin(manifest);
      await writer.table(table, rows({ text: 'x'.repeat(64 * 2 ** 20) }));
    });
    await assert.rejects(tooLong, { message: /^A row of notes is longer than 64 MiB, the limit of a backup/ });
  });
});
