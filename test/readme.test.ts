import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { gatehouse, start } from '#test/gatehouse.ts';
import { needs } from '#test/needs.ts';
import { offendersAmong } from '#test/offenders.ts';
import { noisy } from '#test/pictures.ts';
import { aSitePlace } from '#test/serving.ts';
import { written } from '../docs/handbook.ts';
import { operatorPages } from '../docs/operator-pages.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');
const owner = read('docs/owner.md');
const packages = read('docs/packages.md');
const security = read('docs/security.md') + read('docs/firewall.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

test('every gatehouse command in README and the pages of docs is one', async () => {
  const called =
    /gatehouse ((?:user|app-password|settings|jobs|import|export|hub|extension|logs|secsuite|security) [a-z][a-z-]*|[a-z][a-z-]*)([^`\n]*)/g;
  const named = [...[readme, owner, packages, security, ...operatorPages.map(written)].join('\n').matchAll(called)];
  const commands = new Map(named.map((match) => [match[0], match])).values();
  const offenders = await offendersAmong(commands, String, async ([, name = '', rest = '']) => {
    const { code, out } = await gatehouse([...name.split(' '), '--help']);
    assert.equal(code, 0);
    for (const [flag] of rest.matchAll(/ --[a-z-]+/g)) assert.ok(out.includes(`${flag} `), flag);
  });
  assert.deepEqual(offenders, []);
});

describe('README leads a newcomer to the first request', () => {
  const engine = testEngine('sqlite');
  const can = spawnSync('curl', ['--version']).status === 0;

  needs(can, 'curl', 'the commands make an application password, are let in with it, and publish', async () => {
    const { serveHere, data, env } = await aSitePlace(engine);
    const { origin } = await serveHere();
    const picture = join(data, 'garden.jpg');
    writeFileSync(picture, await noisy(400, 300));
    const blocks = [...readme.matchAll(/```sh\n((?:password=|curl )[\s\S]*?)```/g)].map(([, block = '']) => block);
    const commands = blocks
      .join('')
      .replace(/(?<!\\)\n/g, '; echo\n')
      .replaceAll('http://localhost:8080', origin)
      .replace('garden.jpg', picture);
    const { code, out, err } = await start('sh', ['-c', commands], { ...env, GATEHOUSE_DATA: data }, root).ended;
    assert.equal(code, 0, err);
    const answers = out
      .trim()
      .split(/\n+/)
      .map((line) => JSON.parse(line));
    assert.deepEqual([answers[0].slug, answers[1].slug, answers[2].slug], ['admin', 'we-are-here', 'garden'], out);
  });
});

describe('README fills the first site, and looks at it', () => {
  const engine = testEngine('sqlite');

  test('one command, and the pages and the interface show what was promised', async () => {
    const { serveHere, data, env } = await aSitePlace(engine);
    const { origin } = await serveHere();
    const [, seed = ''] = /```sh\nbin\/gatehouse (seed)\ncurl [^\n]*\n```/.exec(readme) ?? [];
    const run = (...args: string[]) => gatehouse([...args, '--data', data], env);
    const filled = await run(seed);
    assert.equal(filled.code, 0, filled.err);
    const posts = await fetch(`${origin}/api/core/v2/posts?per_page=3&_fields=title.rendered,link`);
    assert.equal(posts.headers.get('x-wp-total'), '50', 'fifty posts');
    const [{ title }] = (await posts.json()) as [{ title: { rendered: string } }];
    const page = await (await fetch(`${origin}/`)).text();
    assert.ok(page.includes(title.rendered) && page.includes('<img') && page.includes('<nav'), page);
    assert.match(readme, /`bin\/gatehouse seed --remove`/);
    const emptied = await run('seed', '--remove', '--yes');
    assert.match(emptied.out, /^Deleted: 75 posts, pages and pictures;/, emptied.err);
  });
});

describe('every npm command in README is a script that exists', () => {
  for (const [whole, name = ''] of readme.matchAll(/npm (?:run )?(start|test|check|fix|docs|bench)\b/g)) {
    test(whole, () => assert.ok(scripts[name], name));
  }

  test('and each script becomes the pinned Node (a shell in between would swallow signals) on a file that is there', () => {
    for (const [name, script] of Object.entries(scripts)) {
      const [, bin = '', file = 'src/main.ts'] = /^exec node (bin\/\w+)(?: ([\w/@.-]+\/[\w.-]+))?/.exec(script) ?? [];
      assert.ok(existsSync(join(root, bin)) && existsSync(join(root, file)), `${name}: ${script}`);
    }
  });
});

describe('no page for people points at a file that is not there', () => {
  const pages = ['README.md', 'CHANGELOG.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    test(page, () => {
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        assert.ok(existsSync(join(root, dirname(page), target)), target);
      }
    });
  }
});

test('links lead to headings that the pages for operators, owners and commands have', () => {
  const headed = [...operatorPages, 'commands.md', 'owner.md'];
  const anchorOf = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  const anchors = new Set(
    headed.flatMap((page) =>
      [...written(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => `${page}#${anchorOf(heading)}`),
    ),
  );
  const pages = ['README.md', 'CHANGELOG.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  const offenders = pages
    .filter((name) => name.endsWith('.md'))
    .flatMap((page) =>
      [...read(page).matchAll(/\]\((?:docs\/)?(\w[\w-]*\.md)?(#[\w-]+)\)/g)]
        .map(([, target = basename(page), anchor = '']) => ({ target, link: `${target}${anchor}` }))
        .filter(({ target, link }) => headed.includes(target) && !anchors.has(link))
        .map(({ link }) => `${page}: ${link}`),
    );
  assert.deepEqual(offenders, []);
});
