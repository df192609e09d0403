// The container image and what stands around it, as far as files tell; `container.full.test.ts` runs the steps of the Dockerfile.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '#test/checkout.ts';
import { compose, composeText, environmentOf, stagesOf, valuesOf } from '#test/container.ts';
import { readConfig } from '../src/config.ts';

const env = {
  SITE_HOST: 'example.org',
  GATEHOUSE_SECRET: 'a secret of thirty-two characters',
  POSTGRES_PASSWORD: 'postgres0password',
  S3_SECRET_KEY: 'files0password',
};

test('the image runs the pinned Node without rights, keeps its data in a volume and says whether it is alive', () => {
  const [build = [], run = []] = stagesOf();
  const { version } = JSON.parse(readFileSync(join(root, 'bin/runtime.json'), 'utf8')) as { version: string };
  for (const stage of [build, run])
    assert.match(valuesOf(stage, 'FROM')[0] ?? '', new RegExp(`^node:${version}-\\w+-slim\\b`));
  assert.deepEqual([valuesOf(run, 'USER'), valuesOf(run, 'VOLUME')], [['node'], ['/data']]);
  assert.equal(environmentOf(run).GATEHOUSE_DATA, '/data');
  assert.equal(valuesOf(run, 'HEALTHCHECK').length, 1);
  const missing = valuesOf(build, 'COPY').flatMap((line) =>
    line
      .split(' ')
      .slice(0, -1)
      .filter((path) => !existsSync(join(root, path))),
  );
  assert.deepEqual(missing, []);
  const allowed = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const left = valuesOf(build, 'COPY').flatMap((line) =>
    line
      .split(' ')
      .slice(0, -1)
      .filter((path) => !allowed.includes(`!${path}`)),
  );
  assert.deepEqual(left, [], 'what is copied is sent to the builder');
});

test('compose.yaml starts a site with settings that Gatehouse takes, behind a proxy that it trusts', () => {
  const { services, configs, networks, volumes } = compose(env);
  const { site, database, files, caddy } = services;
  const config = readConfig({ env: { ...environmentOf(stagesOf()[1]!), ...site.environment } });
  assert.deepEqual([config.url, config.host, config.data], ['https://example.org', '0.0.0.0', '/data']);
  assert.deepEqual(config.media, {
    kind: 's3',
    bucket: 'gatehouse',
    prefix: '',
    endpoint: 'http://files:7070',
    region: 'us-east-1',
  });
  const addressOf = ({ networks: own }: typeof caddy): string | undefined =>
    (own as Readonly<Record<string, { ipv4_address?: string }>>).front?.ipv4_address;
  assert.deepEqual([config.trustProxy, addressOf(site) !== addressOf(caddy)], [[addressOf(caddy)], true]);
  assert.match(
    configs.caddyfile?.content ?? '',
    /^example\.org \{\n {2}respond \/metrics 404\n {2}reverse_proxy site:8080\n\}\n$/,
  );

  assert.equal(site.read_only, true);
  assert.equal(networks.back?.internal, true);
  for (const service of [database, files]) assert.deepEqual([service.networks, service.ports], [['back'], undefined]);
  assert.deepEqual([site.ports, caddy.ports?.length], [undefined, 3], 'only the proxy is reached from outside');
  const images = Object.values(services).map(({ image = '' }) => image);
  assert.deepEqual(
    images.filter((image) => !/:v?\d+\.\d+/.test(image)),
    [],
    'each image has a version',
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  assert.equal(site.image, `gatehouse:${version}`);
  const mounted = Object.values(services).flatMap(({ volumes: all = [] }) => all.map((one) => one.split(':')[0]));
  assert.deepEqual(mounted.toSorted(), Object.keys(volumes).toSorted());
});

test('compose.yaml asks for each secret, and has none', () => {
  const required = [...composeText.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(required)].toSorted(), Object.keys(env).toSorted());
  assert.doesNotMatch(composeText, /(?:PASSWORD|SECRET\w*|TOKEN): (?!\$\{)/);
});
