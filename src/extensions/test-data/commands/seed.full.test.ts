import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { type Ended, startGatehouse } from '#test/gatehouse.ts';
import { needs } from '#test/needs.ts';
import { aMadePlace, type SitePlace } from '#test/serving.ts';
import { atTerminal, hasTerminal } from '#test/terminal.ts';

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

const parsed = (ended: Ended) => JSON.parse(fine(ended));

/** A site with an administrator, that does not serve. */
async function aPlace(engine: TestEngine): Promise<SitePlace> {
  const place = await aMadePlace(engine);
  const about = ['--email', 'admin@hillside.example', '--role', 'administrator', '--password-stdin'];
  fine(await place.fed('a long password\n', 'user', 'create', 'admin', ...about));
  return place;
}

const little = ['--terms', '3', '--users', '2', '--media', '1', '--pages', '1', '--posts', '4', '--comments', '10'];
const nothing = { comments: 0, posts: 0, terms: 0, users: 0 };

eachEngine('gatehouse seed', (engine) => {
  test('stopped by Ctrl-C it has marked what is there, and --remove takes that away', async () => {
    const { run, where, env } = await aPlace(engine);
    const stopped = startGatehouse(['seed', '--media', '100', '--seed', 'spring', ...where], env);
    await stopped.until(/Creating \w+ \[/);
    stopped.child.kill('SIGINT');
    const { code, out, err } = await stopped.ended;
    assert.deepEqual([code, out], [1, ''], err);
    assert.match(err, /\nTo delete the test data of this run: gatehouse seed --remove --seed spring\nStopped\.\n$/);
    const [, told = ''] = /\nNot finished\. Created so far: (.*)\.\n/.exec(err) ?? [];
    const { removed, stayed } = parsed(await run('seed', '--remove', '--yes', '--json'));
    const terms = [...told.matchAll(/(?:categories|tags) \((\d+)\)/g)].reduce((sum, [, many]) => sum + Number(many), 0);
    assert.deepEqual([removed.terms, terms > 0], [terms, true], err);
    assert.equal(stayed, 0);
    assert.deepEqual(parsed(await run('seed', '--remove', '--yes', '--json')).removed, nothing);
  });

  needs(
    hasTerminal,
    'script of util-linux',
    'asks before it deletes, and whoever says no keeps everything',
    async () => {
      const { run, where, env } = await aPlace(engine);
      fine(await run('seed', ...little));
      const question = /Delete 6 posts, pages and pictures; 10 comments; .* permanently\? Type yes: $/;
      const no = await atTerminal(['seed', '--remove', ...where], [[question, 'no\n']], env);
      assert.equal(no.code, 1);
      assert.match(no.screen, /Nothing was changed\.\n$/);
      const sure = await atTerminal(['seed', '--remove', ...where], [[question, 'yes\n']], env);
      assert.match(sure.screen, /Deleted: 6 posts/);
      const again = await atTerminal(['seed', '--remove', ...where], [], env);
      assert.match(again.screen, /Nothing was deleted\.\n$/);
    },
  );
});
