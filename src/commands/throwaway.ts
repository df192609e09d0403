import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../boot.ts';
import type { Config } from '../config.ts';

const silent = { info() {}, warn() {}, error() {} };

/** Puts the site together on an empty store that is gone afterwards: what it would serve, without touching any data. */
export async function onThrowaway<T>(config: Config, use: (app: App) => T | Promise<T>): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  try {
    const { boot } = await import('../boot.ts');
    const app = await boot({ ...config, data, database: undefined, secret: 'x'.repeat(32) }, silent);
    try {
      return await use(app);
    } finally {
      await app.close();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
