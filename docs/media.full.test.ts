// Every line of the page about the media library does what the page says, against a site that serves.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { start } from '#test/gatehouse.ts';
import { needs } from '#test/needs.ts';
import { noisy } from '#test/pictures.ts';
import { aSitePlace } from '#test/serving.ts';
import { blocks, written } from './handbook.ts';

const can = spawnSync('curl', ['--version']).status === 0;

describe('the owner sorts files', () => {
  const engine = testEngine('sqlite');

  needs(can, 'curl', 'as the page says', async () => {
    const place = await aSitePlace(engine);
    const { origin } = await place.serve();
    const [picture, csv] = [join(place.data, 'photo.jpg'), join(place.data, 'media-folders.csv')];
    writeFileSync(picture, await noisy(400, 300));
    const [getting = ''] = blocks('sh', written('owner.md'));
    const script = [getting, ...blocks('sh ask', written('media.md'))]
      .join('\n')
      .replaceAll('http://localhost:8080', origin)
      .replace('photo.jpg', picture)
      .replaceAll('media-folders.csv', csv)
      .replace('[7, 8, 9]', '[1]');
    const env = { ...place.env, GATEHOUSE_DATA: place.data };
    const { code, out, err } = await start('sh', ['-c', script], env, join(import.meta.dirname, '..')).ended;
    assert.equal(code, 0, err);
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      answers.filter((answer) => answer.code !== undefined),
      [],
      out,
    );
    assert.match(readFileSync(csv, 'utf8'), /,Summer fair,0,0,0,0,1\r\n/);
    assert.match(answers.at(-1).data.key, /^\w{40}$/);
  });
});
