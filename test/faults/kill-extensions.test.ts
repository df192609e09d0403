// A command that installs, updates or removes an extension is killed at several moments: after a restart of the site all is as before
// it, or as after it, and nothing is left over.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as aMoment } from 'node:timers/promises';
import { hour } from '#lib/spans.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { type Ended, gatehouse, startGatehouse } from '#test/gatehouse.ts';
import { aSitePlace } from '#test/serving.ts';
import { aShop } from '#test/shop.ts';
import { aSite } from '#test/site.ts';
import { soon, withinASecond } from '#test/soon.ts';

type Command = 'install' | 'update' | 'remove';
type IsNow = (names: readonly string[], before: readonly string[]) => boolean;

/** As its files show how far it has come: begun; and made but not written down, or written down but not cleared up. */
const moments: readonly IsNow[] = [
  (names, before) => names.length !== before.length,
  (names, before) => bellsAmong(names) !== bellsAmong(before),
];

const bellsAmong = (names: readonly string[]): number => names.filter((name) => /^bell-|\.zip$/.test(name)).length;

const fine = ({ code, err }: Ended): void => assert.equal(code, 0, err);

async function aScene(engine: TestEngine) {
  const shop = aShop(engine);
  const { data, database, where, env: own, run } = await aSitePlace(engine);
  const env = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
  const words = (command: string) => [
    'extension',
    command,
    'bell',
    ...(command === 'remove' ? ['--yes'] : []),
    ...where,
  ];
  const namesIn = (...folder: string[]): string[] => {
    const place = join(data, ...folder);
    return existsSync(place) ? readdirSync(place) : [];
  };
  const copies = () => namesIn('extensions');
  const names = () => [...namesIn('media', '.extensions', 'bell'), ...copies()];
  let ahead = 0;
  const clock = () => new Date(Date.now() + ahead);
  fine(await run('migrate'));
  return {
    copies,
    /** Nobody can be at work any more with what is no extension's. */
    later: () => {
      ahead += 2 * hour;
    },
    offer: (version: string) => void shop.offer({ manifest: { version } }),
    done: async (command: string) => fine(await gatehouse(words(command), { ...own, ...env })),
    async killed(command: Command, isNow: IsNow) {
      const before = names();
      const { child, ended } = startGatehouse(words(command), { ...own, ...env });
      while (child.exitCode === null && !isNow(names(), before)) await aMoment();
      child.kill('SIGKILL');
      await ended;
    },
    restarted: () => aSite(engine, { env, clock, config: { data, ...(database && { database }) } }),
  };
}

type Scene = Awaited<ReturnType<typeof aScene>>;

/** With the version before, which runs where it is updated. */
async function prepared({ offer, done }: Scene, command: Command): Promise<void> {
  offer('1.0.0');
  if (command !== 'install') await done('install');
  if (command === 'update') await done('activate');
  if (command === 'update') offer('1.1.0');
}

/** It is as it was or as it was to be, and can be done again. */
async function looked(scene: Scene, command: Command, versions: readonly unknown[]): Promise<void> {
  const { copies, later, restarted } = scene;
  later();
  const { app, get } = await restarted();
  const { extensions } = app.services;
  const version = (await extensions.find('bell'))?.version;
  assert.ok(versions.includes(version), String(version));
  await withinASecond(async () => copies().length, version === undefined ? 0 : 1);
  if (command === 'update') assert.equal((await get('/api/bell/v1/ring')).status, 200);
  if (version === undefined) await extensions.install('bell', {});
  await extensions.update('bell', {});
  await extensions.deactivate('bell', {});
  await extensions.remove('bell', {});
  // Whichever look finds first that a copy is let go of leaves it for an hour from then on.
  const swept = async () => {
    later();
    await extensions.tidy();
    return copies().length;
  };
  await soon(swept, 0);
  await app.close();
}

eachEngine('A command that is killed while it', (engine) => {
  for (const [command, ...versions] of [
    ['install', undefined, '1.0.0'],
    ['update', '1.0.0', '1.1.0'],
    ['remove', '1.0.0', undefined],
  ] as const)
    test(`${command}s leaves all as before or as after`, async () => {
      const scene = await aScene(engine);
      for (const isNow of moments) {
        await prepared(scene, command);
        await scene.killed(command, isNow);
        await looked(scene, command, versions);
      }
    });
});
