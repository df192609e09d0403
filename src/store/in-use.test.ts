import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { keptLog, onBothStores, type Place } from '#test/databases.ts';
import { shelf } from '#test/shelf.ts';
import { isInUse } from './restore-lock.ts';
import { openStore } from './store.ts';

const HOLDER = fileURLToPath(new URL('../../test/support/holder.ts', import.meta.url));

onBothStores('A database', (engine) => {
  const options = (place: Place) => ({ ...place, tables: [shelf], log: keptLog() });

  /** A process that has it open and does nothing. */
  async function held(place: Place) {
    const holder = spawn(process.execPath, [HOLDER, JSON.stringify(place)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(holder, 'close');
    engine.atEnd(async () => {
      holder.kill('SIGKILL');
      await ended;
    });
    await Promise.race([once(holder.stdout, 'data'), ended.then(() => assert.fail('It ended.'))]);
    return async (signal: NodeJS.Signals) => {
      holder.kill(signal);
      await ended;
    };
  }

  test('is in use while another process has it open, also one that does nothing, and no longer', async () => {
    const place = await engine.place();
    await (await openStore(options(place))).close();
    assert.equal(await isInUse(options(place)), false);
    const end = await held(place);
    assert.equal(await isInUse(options(place)), true);
    await end('SIGKILL');
    assert.equal(await isInUse(options(place)), false);
    const again = await openStore(options(place));
    assert.deepEqual(await again.check(), []);
    await again.close();
  });

  test('is in use whatever name its address gives to whoever connects', async () => {
    const place = await engine.place();
    if (place.database === undefined) return;
    const address = new URL(place.database);
    address.searchParams.set('application_name', 'web');
    await (await openStore(options(place))).close();
    await held({ ...place, database: address.href });
    assert.equal(await isInUse(options(place)), true);
    assert.equal(await isInUse(options({ ...place, database: address.href })), true);
  });

  test('that is not there is in use by nobody, and is not made', async () => {
    const place = await engine.place();
    assert.equal(await isInUse(options(place)), false);
    assert.equal(existsSync(join(place.data, 'gatehouse.db')), false);
  });
});
