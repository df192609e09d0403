import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onBothStores, type Place } from '#test/databases.ts';
import { quickImports } from '#test/gatehouse.ts';
import { killPoints } from '#test/kill-points.ts';
import { type ShelfTables, shelf } from '#test/shelf.ts';
import type { Store } from './store.ts';

const WRITER = fileURLToPath(new URL('../../test/support/writer.ts', import.meta.url));

/** A process that writes until it is killed. */
class Writer {
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #notes: string;
  complaints = '';

  private constructor(place: Place, name: string) {
    this.#notes = join(place.data, `${name}.txt`);
    this.#process = spawn(process.execPath, [...quickImports, WRITER, JSON.stringify(place), this.#notes], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#closed = once(this.#process, 'close');
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.complaints += text;
    });
  }

  /** Resolves when it writes. */
  static async start(place: Place, name: string): Promise<Writer> {
    const writer = new Writer(place, name);
    await Promise.race([once(writer.#process.stdout ?? writer.#process, 'data'), writer.#closed]);
    assert.equal(writer.complaints, '');
    return writer;
  }

  acknowledged(): string[] {
    return readFileSync(this.#notes, 'utf8').split('\n').slice(0, -1);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#closed;
  }
}

onBothStores('Processes that are killed while they write', (engine) => {
  test('lose nothing they acknowledged, hold up nobody, and leave the database sound', async () => {
    const place = await engine.place();
    const store: Store<ShelfTables> = await engine.store([shelf], place);
    const steady = await Writer.start(place, 'steady');
    const killed: Writer[] = [];
    const random = killPoints();
    for (const round of [1, 2, 3, 4]) {
      const doomed = await Writer.start(place, `doomed${round}`);
      await pause(random() * 150);
      await doomed.kill();
      killed.push(doomed);
    }
    const before = steady.acknowledged().length;
    for (let n = 0; n < 100 && steady.acknowledged().length === before; n++) await pause(50);
    assert.ok(steady.acknowledged().length > before, 'the other goes on writing');
    await steady.kill();
    const writers = [steady, ...killed];
    assert.deepEqual(writers.map(({ complaints }) => complaints).filter(Boolean), []);
    const rows = await store.db.selectFrom('books').select('title').execute();
    const kept = new Set(rows.map(({ title }) => title));
    assert.deepEqual(
      writers.flatMap((one) => one.acknowledged()).filter((title) => !kept.has(title)),
      [],
    );
    assert.deepEqual(await store.check(), []);
  });
});

onBothStores('Processes that start together on an empty database', (engine) => {
  test('all get to write, and none shuts the others out', async () => {
    const place = await engine.place();
    const writers = await Promise.all(['a', 'b', 'c'].map((name) => Writer.start(place, name)));
    const from = writers.map((one) => one.acknowledged().length);
    await pause(1500);
    const written = writers.map((one, at) => one.acknowledged().length - (from[at] ?? 0));
    await Promise.all(writers.map((one) => one.kill()));
    assert.deepEqual(writers.map(({ complaints }) => complaints).filter(Boolean), []);
    assert.ok(Math.min(...written) > Math.max(...written) / 10, `they wrote ${written}`);
  });
});
