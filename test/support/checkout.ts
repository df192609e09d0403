// A checkout of the program on a machine where nothing, or something wrong, is installed. npm is a stand-in that copies a prepared folder.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Ended, type Running, start } from './gatehouse.ts';

export const root = join(import.meta.dirname, '../..');
export const { runtime } = createRequire(import.meta.url)(join(root, 'bin/runtime.js')) as {
  runtime(root: string, options?: { platform?: string }): { package: string; binary: string };
};
export const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
const running = new Set<Running>();
after(() => {
  for (const { child } of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

type Entry = Record<string, unknown>;

const NPM = `#!/bin/sh
echo "$*" >> "$FAKE/calls"
echo started >> "$FAKE/started"
while [ -e "$FAKE/hold" ]; do sleep 0.05; done
if [ -e "$FAKE/fail" ]; then cat "$FAKE/fail" >&2; exit 1; fi
cp -R "$FAKE/node_modules" ./node_modules
`;

export class Checkout {
  readonly path = mkdtempSync(join(folder, 'checkout-'));
  readonly fake = mkdtempSync(join(folder, 'npm-'));

  constructor() {
    cpSync(join(root, 'bin'), join(this.path, 'bin'), { recursive: true });
    mkdirSync(join(this.path, 'src'));
    writeFileSync(join(this.path, 'package.json'), '{ "name": "gatehouse", "type": "module" }');
    writeFileSync(
      join(this.path, 'src/main.ts'),
      `const args: string[] = process.argv.slice(2);
       console.log(JSON.stringify({ args, cwd: process.cwd(), cache: process.env.NODE_COMPILE_CACHE, heaps: process.env.MALLOC_ARENA_MAX }));
       if (args[0] === 'code') process.exitCode = Number(args[1]);
       if (args[0] === 'wait') { process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('ready'); }
       if (args[0] === 'die') process.kill(process.pid, 'SIGKILL');`,
    );
    writeFileSync(join(this.fake, 'npm'), NPM);
    chmodSync(join(this.fake, 'npm'), 0o755);
    this.wants({});
  }

  /** What package-lock.json asks for, and what the stand-in installs. */
  wants(more: Record<string, Entry>): void {
    const { package: name } = runtime(root);
    const packages = {
      [`node_modules/${name}`]: { version: '26.10.0', optional: true },
      'node_modules/lib': { version: '1.0.0' },
      ...more,
    };
    const made = join(this.fake, 'node_modules');
    rmSync(made, { recursive: true, force: true });
    for (const [at, { version }] of Object.entries(packages)) {
      mkdirSync(join(this.fake, at), { recursive: true });
      writeFileSync(join(this.fake, at, 'package.json'), JSON.stringify({ version }));
    }
    mkdirSync(join(made, name, 'bin'));
    symlinkSync(process.execPath, join(made, name, 'bin/node'));
    writeFileSync(join(made, '.package-lock.json'), JSON.stringify({ packages }));
    writeFileSync(join(this.path, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  }

  start(
    args: readonly string[],
    { cwd, bin = join(this.path, 'bin/gatehouse'), node = [] as string[], system } = {} as {
      cwd?: string;
      bin?: string;
      node?: string[];
      /** `GATEHOUSE_NODE` */
      system?: string;
    },
  ): Running {
    const path = `${this.fake}:${process.env.PATH}`;
    const env = { FAKE: this.fake, PATH: path, NODE_COMPILE_CACHE: undefined, GATEHOUSE_NODE: system };
    const one = start(process.execPath, [...node, bin, ...args], env, cwd ?? this.path);
    running.add(one);
    return one;
  }

  run(args: readonly string[], how = {}): Promise<Ended> {
    return this.start(args, how).ended;
  }

  tell(file: 'hold' | 'fail', content = ''): void {
    writeFileSync(join(this.fake, file), content);
  }

  forget(file: 'hold' | 'fail'): void {
    rmSync(join(this.fake, file));
  }

  get calls(): string[] {
    const file = join(this.fake, 'calls');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  async npmStarted(): Promise<void> {
    while (!existsSync(join(this.fake, 'started'))) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  get leftovers(): string[] {
    return readdirSync(join(this.path, '.cache')).filter((name) => !['compiled', 'runtime-compared'].includes(name));
  }
}
