// Jobs as an extension declares them, in a whole site.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import type { AnyEntry, Entry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { testClock } from '#test/queue.ts';
import { aSite } from '#test/site.ts';
import type { Queue } from './job.ts';

interface Wordy {
  readonly said: string[];
  say(words: string[]): Promise<string>;
}

/** Says words one by one, and good night every day. `meanwhile` goes on before each. */
const wordy =
  (meanwhile: (word: string, signal: AbortSignal) => Promise<void> = async () => {}): Entry<Wordy> =>
  ({ job, route, Problem }) => {
    const say = job<string[]>({
      name: 'wordy.say',
      about: 'Says words',
      async run(words, work, { said }) {
        await work.total(words.length);
        await work.each((after) => words.slice(after === undefined ? 0 : words.indexOf(after) + 1), {
          key: (word) => word,
          async do(word) {
            await meanwhile(word, work.signal);
            if (word === 'rude') throw new Problem(400, 'wordy_rude', 'That is not said here.');
            said.push(word);
          },
        });
        return { last: words.at(-1) };
      },
    });
    return {
      name: 'wordy',
      jobs: {
        kinds: [say],
        schedules: [{ name: 'wordy.night', every: day, add: (use) => use.say(['good night']) }],
      },
      nouns({ queueOf }) {
        const queue: Queue<string[]> = queueOf(say);
        return { said: [], say: (words) => queue.add(words) };
      },
      routes: {
        'wordy/v1': [
          route({
            method: 'POST',
            path: 'words',
            summary: 'Say words later',
            access: 'public',
            args: {},
            handle: async ({ use }) => ({ job: await use.say(['good', 'rude', 'morning']) }),
          }),
          route({
            method: 'GET',
            path: 'words',
            summary: 'What was said',
            access: 'public',
            args: {},
            handle: ({ use }) => ({ said: use.said }),
          }),
        ],
      },
    };
  };

interface Loud {
  louder(ids: number[]): Promise<string>;
}

/** As the manual for extensions has it: the items one after another, and nothing else. */
const plain: Entry<Loud> = ({ job, route, Problem }) => {
  const shout = job<number[]>({
    name: 'wordy.shout',
    about: 'Makes greetings louder',
    attempts: 3,
    run: (ids, { each }) =>
      each((after = '0') => ids.filter((id) => id > Number(after)), {
        key: String,
        async do(id) {
          if (id === 77) throw new Problem(404, 'wordy_missing', 'There is no such greeting.');
        },
      }),
  });
  const post = route({
    method: 'POST',
    path: 'louder',
    summary: 'Make them louder',
    access: 'public',
    args: {},
    handle: async ({ use }) => ({ job: await use.louder([1, 77]) }),
  });
  return {
    name: 'wordy',
    jobs: { kinds: [shout] },
    nouns: ({ queueOf }) => ({ louder: (ids) => queueOf(shout).add(ids) }),
    routes: { 'wordy/v1': [post] },
  };
};

const words = '/api/wordy/v1/words';
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

eachEngine('an extension with jobs', (engine) => {
  test('puts work into the queue in a request, and does it with its nouns', async () => {
    const site = await aSite(engine, { extensions: [wordy() as AnyEntry] });
    const { jobs } = site.app.services;
    const { body } = await site.post(words);
    await jobs.settled();
    const job = await jobs.find(body.job);
    assert.deepEqual([job?.status, job?.done, job?.failed, job?.result], ['done', 2, 1, { last: 'morning' }]);
    assert.equal(job?.errors[0]?.code, 'wordy_rude');
    assert.deepEqual((await site.get(words)).body, { said: ['good', 'morning'] });
  });

  test('whose job says nothing but its items is told how many were done, and why one was not', async () => {
    const site = await aSite(engine, { extensions: [plain as AnyEntry] });
    const { body } = await site.post('/api/wordy/v1/louder');
    const { jobs } = site.app.services;
    await jobs.settled();
    const job = await jobs.find(body.job);
    assert.deepEqual([job?.status, job?.total, job?.done, job?.failed], ['done', 2, 1, 1]);
    assert.deepEqual(job?.errors, [{ item: '77', code: 'wordy_missing', message: 'There is no such greeting.' }]);
  });

  test('has something done every day', async () => {
    const clock = testClock();
    const site = await aSite(engine, { extensions: [wordy() as AnyEntry], clock });
    const { jobs } = site.app.services;
    await jobs.settled();
    clock.pass(day);
    await jobs.settled();
    assert.deepEqual((await site.get(words)).body, { said: ['good night'] });
  });

  test('a site that stops puts back what it does, and the next one goes on after the last item', async () => {
    const reached = Promise.withResolvers<void>();
    const first = await aSite(engine, {
      extensions: [
        wordy(async (word, signal) => {
          if (word !== 'morning') return;
          reached.resolve();
          await aborted(signal);
          signal.throwIfAborted();
        }) as AnyEntry,
      ],
    });
    const { body } = await first.post(words);
    await reached.promise;
    await first.app.close();
    const { data, database } = first.config;
    const second = await aSite(engine, { extensions: [wordy() as AnyEntry], config: { data, database } });
    const { jobs } = second.app.services;
    await jobs.settled();
    const job = await jobs.find(body.job);
    assert.deepEqual([job?.status, job?.done, job?.failed, job?.attempt], ['done', 2, 1, 1]);
    assert.deepEqual((await second.get(words)).body, { said: ['morning'] });
  });
});
