// A site that outgrows its machine: it begins on SQLite with its files in a folder, is backed up while it serves, and goes on as
// two processes on PostgreSQL and an object store. One of them is killed; nothing is lost.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { mailLane } from '#site/email/delivering.ts';
import type { SiteServices } from '#site/services.ts';
import { type Place, testEngine } from '#test/databases.ts';
import { type Ended, gatehouse, startGatehouse } from '#test/gatehouse.ts';
import { readLetter } from '#test/letters.ts';
import { type MailServer, startMailServer } from '#test/mail-server.ts';
import { anObjectStore } from '#test/s3.ts';
import { aSitePlace, type SitePlace } from '#test/serving.ts';
import { openSite } from '../../src/boot/open-site.ts';
import { readConfig } from '../../src/config.ts';

const letters = Array.from({ length: 40 }, (_, at) => `Letter ${at + 1}`);
const picture = Buffer.alloc(300_000, 'a picture ');

/** What the site holds, as a program that is told its settings finds it. Nothing is worked on meanwhile. */
async function inside<R>(env: Record<string, string>, use: (services: SiteServices) => Promise<R>): Promise<R> {
  const nothing = { info() {}, warn() {}, error() {} };
  const { services, close } = await openSite(readConfig({ env }), nothing);
  return use(services).finally(close);
}

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out.trim();
};

const asked = async (origin: string, path: string, login: string, password: string) => {
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  const response = await fetch(`${origin}${path}`, { headers: { authorization } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** Waits for something that other processes bring about. */
async function until(what: string, isSo: () => boolean | Promise<boolean>, most = 120_000): Promise<void> {
  const late = performance.now() + most;
  while (!(await isSo())) {
    assert.ok(performance.now() < late, `not within ${most / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The life of the site on its first machine: what is made there is what must be found on the others. */
async function begun(place: SitePlace): Promise<{ readonly app: string; readonly archive: string }> {
  const here = { ...place.env, GATEHOUSE_DATA: place.data };
  const site = await place.serve();
  fine(
    await place.fed(
      'a password of hers\n',
      ...['user', 'create', 'anna', '--email', 'anna@site.test', '--role', 'editor', '--password-stdin'],
    ),
  );
  const app = fine(await place.run('app-password', 'create', 'anna', '--name', 'phone'));
  fine(await place.run('settings', 'set', 'site', 'title', 'Riverside & Sons'));
  await inside(here, async ({ files }) => {
    await files.put('2026/11/picture.jpg', picture);
  });
  assert.equal((await asked(site.origin, '/api/core/v2/users/me', 'anna', app)).status, 200);
  site.child.kill('SIGTERM');
  await site.ended;
  // Nobody is there to send them: they wait in the queue.
  await inside(here, async ({ mail }) => {
    for (const subject of letters) await mail.send({ to: 'ben@site.test', subject, text: subject, awaited: true });
  });
  const again = await place.serve({ GATEHOUSE_SMTP: 'smtp://127.0.0.1:1' });
  const archive = join(place.data, 'site.ghb');
  fine(await place.run('backup', archive));
  again.child.kill('SIGTERM');
  await again.ended;
  assert.match(fine(await gatehouse(['verify', archive])), /\d/);
  return { app, archive };
}

interface Grown {
  readonly env: Record<string, string>;
  readonly archive: string;
}

async function grown(archive: string, place: Place, secret: string, more: Record<string, string>): Promise<Grown> {
  const env = { GATEHOUSE_DATA: place.data, GATEHOUSE_DATABASE: place.database!, GATEHOUSE_SECRET: secret, ...more };
  fine(await gatehouse(['restore', archive], env));
  return { env, archive };
}

async function served(env: Record<string, string>) {
  const site = startGatehouse(['serve', '--port', '0'], env);
  const said = await site.until(/Deployment .*\n/);
  return { ...site, said, origin: `http://127.0.0.1:${/Listening\s+127\.0\.0\.1:(\d+)/.exec(said)?.[1]}` };
}

const arrivedAt = (server: MailServer): string[] => server.arrived.map(({ raw }) => readLetter(raw).subject);

describe('A site that grows from one machine to several', () => {
  const [small, large] = [testEngine('sqlite'), testEngine('postgres')];

  test('is backed up on SQLite, goes on as two processes on PostgreSQL and an object store, and loses nothing when one is killed', async () => {
    const place = await aSitePlace(small);
    const { app, archive } = await begun(place);
    const store = await anObjectStore();
    large.atEnd(() => store.close());
    const released = Promise.withResolvers<void>();
    const few = 3;
    const takes = async () => {
      if (post.arrived.length >= few) await released.promise;
    };
    const post = await startMailServer({ takes });
    large.atEnd(() => post.stop());
    const { env } = await grown(archive, await large.place(), place.env.GATEHOUSE_SECRET!, {
      GATEHOUSE_MEDIA: `s3://${store.media.bucket}/site?endpoint=${store.media.endpoint}`,
      AWS_ACCESS_KEY_ID: store.keys.id,
      AWS_SECRET_ACCESS_KEY: store.keys.secret,
      GATEHOUSE_SMTP: `smtp://127.0.0.1:${post.port}`,
    });
    rmSync(place.data, { recursive: true }); // the first machine is gone

    const sites = [await served(env), await served(env)] as const;
    large.atEnd(async () => void sites.map(({ child }) => child.kill('SIGKILL')));
    const [first, second] = sites;
    await until('letters begin to arrive', () => post.arrived.length >= few);
    // More than one of them sends at once: each has letters in hand.
    await until('both deliver', () => post.connected() > mailLane.atOnce);
    first.child.kill('SIGKILL');
    await first.ended;
    released.resolve();

    const me = await asked(second.origin, '/api/core/v2/users/me', 'anna', app);
    assert.deepEqual([me.status, me.body.name], [200, 'anna']);
    const { name } = (await (await fetch(`${second.origin}/api/`)).json()) as { name: string };
    assert.equal(name, 'Riverside &amp; Sons');
    fine(await gatehouse(['user', 'set-email', 'anna', 'anna@elsewhere.test'], env)); // and work goes on
    const content = await inside(env, async ({ files }) => {
      const file = await files.open('2026/11/picture.jpg');
      return file && text(file.stream);
    });
    assert.equal(content, picture.toString());
    await until('every letter arrived', () => letters.every((letter) => arrivedAt(post).includes(letter)));
    // What the one that was killed had begun is taken over once it is known to be gone.
    await inside(env, ({ jobs }) =>
      until('no letter is under way any more', async () => (await jobs.figures()).waiting.length === 0),
    );
    for (const told of ['anna@site.test', 'anna@elsewhere.test'])
      assert.ok(
        post.arrived.some(({ to }) => to.includes(told)),
        `${told} hears of the new address`,
      );

    const third = await served(env);
    large.atEnd(async () => third.child.kill('SIGKILL'));
    assert.equal((await asked(third.origin, '/api/core/v2/users/me', 'anna', app)).status, 200);
    for (const site of [second, third]) {
      site.child.kill('SIGTERM');
      assert.equal((await site.ended).code, 0);
    }
    const listed = fine(await gatehouse(['jobs', 'list', '--kind', 'mail.deliver', '--json'], env));
    const jobs = JSON.parse(listed) as { status: string; attempt: number }[];
    assert.deepEqual([...new Set(jobs.map(({ status }) => status))], ['done']);
    assert.ok(jobs.some(({ attempt }) => attempt > 1)); // begun by the one, done by the other
  });
});
