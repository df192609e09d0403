import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Place } from '#test/databases.ts';
import { quickImports } from '#test/gatehouse.ts';

const SERVE = fileURLToPath(new URL('./serve.ts', import.meta.url));

/** A site that runs in a process of its own until it is killed. */
export class SiteProcess {
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown>;
  #said = '';
  complaints = '';

  private constructor(place: Place) {
    this.#process = spawn(process.execPath, [...quickImports, SERVE, JSON.stringify(place)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#closed = once(this.#process, 'close');
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.complaints += text;
    });
  }

  /** Resolves when it listens. */
  static async start(place: Place): Promise<SiteProcess> {
    const site = new SiteProcess(place);
    await Promise.race([once(site.#process.stdout ?? site.#process, 'data'), site.#closed]);
    assert.match(site.#said, /^\{.*\}\n$/, site.complaints);
    return site;
  }

  get origin(): string {
    return this.#about.origin;
  }

  /** What to send with a greeting. */
  get headers(): Record<string, string> {
    return { 'content-type': 'application/json', authorization: this.#about.authorization };
  }

  get #about(): { origin: string; authorization: string } {
    return JSON.parse(this.#said);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#closed;
  }
}

export interface Greeting {
  readonly id: number;
  readonly text: string;
}

/** Posts greetings, so many at a time, and notes each in a file outside the moment it is acknowledged. */
export class Greeters {
  readonly #notes: string;
  readonly #refused: { status: number; retryAfter: string | null; body: string }[] = [];
  #running = true;
  #next = 0;

  constructor(notes: string) {
    this.#notes = notes;
  }

  /** Until told to stop, or until the site is gone. */
  async greet(site: SiteProcess, name: string, abreast = 16): Promise<void> {
    this.#running = true;
    await Promise.all(Array.from({ length: abreast }, () => this.#greetOn(site, name)));
  }

  stop(): void {
    this.#running = false;
  }

  acknowledged(): Greeting[] {
    const lines = readFileSync(this.#notes, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Greeting);
  }

  /** What was answered instead of 201. */
  get refused() {
    return this.#refused;
  }

  async #greetOn(site: SiteProcess, name: string): Promise<void> {
    while (this.#running) {
      const text = `${name} ${this.#next++}`;
      const answer = await post(site, text);
      if (!answer) return;
      if (answer.status === 201) appendFileSync(this.#notes, `${JSON.stringify({ id: idOf(answer.body), text })}\n`);
      if (answer.status !== 201) this.#refused.push(answer);
    }
  }
}

const idOf = (body: string): number => (JSON.parse(body) as { id: number }).id;

/** Undefined: the connection broke, so nothing is known of this one. */
async function post({ origin, headers }: SiteProcess, text: string) {
  try {
    const body = JSON.stringify({ text });
    const response = await fetch(`${origin}/api/hello/v1/greetings`, { method: 'POST', headers, body });
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.text() };
  } catch {
    return undefined;
  }
}
