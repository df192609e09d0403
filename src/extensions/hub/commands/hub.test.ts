import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { callGatehouse, type Ended, gatehouse } from '#test/gatehouse.ts';
import { headersFor, inventory } from '#test/hub-house.ts';
import { aSitePlace } from '#test/serving.ts';

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

eachEngine('gatehouse hub', (engine) => {
  test('serves a hub, adds sites to it, and says how they are', async () => {
    const { run, where, env } = await aSitePlace(engine);
    const early = await run('hub', 'add', 'Hillside');
    assert.deepEqual([early.code, early.out], [1, '']);
    assert.match(
      early.err,
      /(?:There is no hub in|This database holds no hub) .*create one with "gatehouse hub serve"/,
    );

    const hub = callGatehouse(['hub', 'serve', '--port', '0', ...where], { env });
    engine.atEnd(async () => {
      hub.stop();
      await hub.ended;
    });
    const said = await hub.until(/Deployment +hub .*\n/);
    await hub.until(/Creating a new hub here/);
    assert.match(said, /Sites +http:\/\/localhost:\d+\/hub /);
    assert.match(said, /Add one +gatehouse hub add NAME --url http:\/\/localhost:\d+ --data \S+\n/);
    assert.match(said, /Name it +gatehouse settings set site title "…" --data \S+ --deployment hub /);
    const origin = `http://127.0.0.1:${/Listening\s+127\.0\.0\.1:(\d+)/.exec(said)?.[1]}`;

    const added = await run('hub', 'add', 'Hillside School', '--url', 'https://hub.example');
    const lines = /^GATEHOUSE_HUB_URL=https:\/\/hub\.example\/api\/hub\/v1\nGATEHOUSE_HUB_API_KEY=(hub_[\w-]{43})\n$/;
    const key = lines.exec(fine(added))?.[1] ?? assert.fail(added.out);
    assert.match(added.err, /cannot be shown again/);
    assert.equal((await run('hub', 'add', 'hillside SCHOOL')).code, 1);
    assert.equal((await run('hub', 'add', ' \u202e ')).code, 1);
    const long = await run('hub', 'add', 'Mill', '--url', 'https://hub.example/api/hub/v1');
    assert.deepEqual([long.code, long.out], [2, '']);
    assert.match(long.err, /--url https:\/\/hub\.example\n/);
    assert.match((await run('hub', 'add', 'Mill')).err, /GATEHOUSE_FETCH_ALLOW_HOSTS=localhost:8081\b/);

    const body = JSON.stringify(inventory('https://hillside.example'));
    const path = `${origin}/api/hub/v1/hub-sync`;
    const sync = () => fetch(path, { method: 'POST', body, headers: headersFor(body, key, new Date()) });
    assert.equal((await sync()).status, 200);
    const table = fine(await run('hub', 'list')).split('\n');
    assert.match(table[1] ?? '', /^Hillside School +https:\/\/hillside\.example +0\.3\.0 +recommended +\d{4}-/);
    assert.match(table[2] ?? '', /^Mill +not known +never$/);

    assert.match(fine(await run('hub', 'pause', 'mill')), /Paused Mill/);
    assert.equal(JSON.parse(fine(await run('hub', 'list', '--json')))[1].membership, 'paused');
    assert.match(fine(await run('hub', 'resume', 'Mill')), /Resumed Mill/);
    const unasked = await run('hub', 'remove', 'Hillside School');
    assert.deepEqual([unasked.code, unasked.out], [2, '']);
    assert.match(unasked.err, /add --yes/);
    assert.match(fine(await run('hub', 'remove', 'Hillside School', '--yes')), /Removed Hillside School/);
    assert.equal((await sync()).status, 401);
    const gone = await run('hub', 'remove', 'Hillside School', '--yes');
    assert.deepEqual(
      [gone.code, gone.err],
      [1, 'Site Hillside School does not exist on this hub; see gatehouse hub list.\n'],
    );
  });
});

describe('gatehouse hub', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  after(() => rmSync(folder, { recursive: true }));

  test('by itself says what there is, and each of it what it takes', async () => {
    const bare = await gatehouse(['hub']);
    assert.equal(bare.code, 2);
    assert.match(bare.err, /serve +Serve the hub/);
    const { code, out } = await gatehouse(['hub', 'serve', '--help']);
    assert.equal(code, 0);
    assert.match(out, /--data folder [^)]*default:\s+\.\/hub\)/);
    assert.match(out, /--port number [^)]*default:\s+8081\)/);
  });

  test('has a data folder of its own unless somebody says otherwise', async () => {
    assert.match((await gatehouse(['hub', 'list'], {}, folder)).err, /There is no hub in \S*\/hub yet/);
    assert.match((await gatehouse(['hub', 'list'], { GATEHOUSE_DATA: './other' }, folder)).err, /\/other yet/);
  });

  test('knows the folder of a site that is no hub, and makes no key there', async () => {
    const site = join(folder, 'site');
    assert.equal((await gatehouse(['migrate', '--data', site])).code, 0);
    for (const member of [['add', 'Hillside'], ['list']]) {
      const { code, out, err } = await gatehouse(['hub', ...member, '--data', site]);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /There is no hub in \S+\/site\. Give --data the folder of the hub/);
    }
  });

  test('leaves the data of a site alone', async () => {
    for (const member of [['list'], ['add', 'Hillside'], ['serve']]) {
      const { code, err } = await gatehouse(['hub', ...member, '--deployment', 'b'], {}, folder);
      assert.equal(code, 2, err);
      assert.match(err, /The deployment b is not a hub/);
    }
  });
});
