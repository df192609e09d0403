// What holds a site is not served as a hub by a word too many, and what holds a hub not as a site by one too few.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { startGatehouse } from '#test/gatehouse.ts';
import { aSitePlace, type SitePlace, stopped } from '#test/serving.ts';

const deployments = join(import.meta.dirname, '../../../../deployments');

/** Serves until it says that it does. */
async function started(engine: TestEngine, { where, env }: SitePlace, ...args: string[]) {
  const running = startGatehouse([...args, '--port', '0', ...where], env);
  engine.atEnd(async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  });
  const said = await running.until(/Deployment .*\n/);
  await stopped(running);
  return said;
}

/** Both at once, as an owner may want it. */
function deploymentOfBoth({ data }: SitePlace): string {
  const read = (name: string) => JSON.parse(readFileSync(join(deployments, `${name}.json`), 'utf8'));
  const [site, hub] = [read('b'), read('hub')];
  const both = {
    ...site,
    namespaces: ['hub/v1', ...site.namespaces],
    extensions: { ...site.extensions, ...hub.extensions },
  };
  const file = join(data, 'both.json');
  writeFileSync(file, JSON.stringify(both));
  return file;
}

eachEngine('What was served as one thing', (engine) => {
  test('is not served as the other, and whoever tries is told the right command', async () => {
    const [site, hub] = [await aSitePlace(engine), await aSitePlace(engine)];
    await started(engine, site, 'serve');
    await started(engine, hub, 'hub', 'serve');
    const asHub = await site.run('hub', 'serve', '--port', '0');
    assert.deepEqual([asHub.code, asHub.out], [1, '']);
    assert.match(asHub.err, /holds a site, not a hub: "gatehouse serve --data \S+" serves it\. Give a new hub /);
    assert.equal((await site.run('serve', '--deployment', 'hub', '--port', '0')).code, 1);
    const asSite = await hub.run('serve', '--port', '0');
    assert.deepEqual([asSite.code, asSite.out], [1, '']);
    assert.match(asSite.err, /holds a hub: "gatehouse hub serve --data \S+" serves it\. Give a new site /);
    await started(engine, site, 'serve');
    await started(engine, hub, 'hub', 'serve');
  });

  test('is served with a deployment that has both, and as either from then on', async () => {
    const site = await aSitePlace(engine);
    await started(engine, site, 'serve');
    const both = deploymentOfBoth(site);
    assert.match(await started(engine, site, 'serve', '--deployment', both), /Sites +http/);
    await started(engine, site, 'hub', 'serve', '--deployment', both);
    await started(engine, site, 'serve');
  });
});

eachEngine('A site with a hub', (engine) => {
  test('says at its start which one, and how soon it is told', async () => {
    const place = await aSitePlace(engine);
    const env = {
      GATEHOUSE_HUB_URL: 'https://hub.invalid/api/hub/v1',
      GATEHOUSE_HUB_API_KEY: 'a-key-of-this-test-alone',
    };
    const alone = await place.serve();
    assert.doesNotMatch(alone.said, /Hub /);
    await stopped(alone);
    const { said } = await place.serve(env);
    assert.match(said, /Hub +https:\/\/hub\.invalid\/api\/hub\/v1 +\(gets a report twice a day, .* 2 minutes\)\n/);
    assert.ok(!said.includes(env.GATEHOUSE_HUB_API_KEY));
  });
});
