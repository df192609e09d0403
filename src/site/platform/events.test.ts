import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import type { Entry } from '../extension.ts';
import type { User } from '../identity/users/user.ts';
import { createEvents, type EventName } from './events.ts';

const user = { id: 1, login: 'ada' } as User;

function reported() {
  const faults: [name: EventName, message: string][] = [];
  const events = createEvents((error, name) => faults.push([name, (error as Error).message]));
  return { events, faults };
}

test('everybody who listens is told, in the order they came, whoever fails', async () => {
  const { events, faults } = reported();
  const heard: string[] = [];
  events.on('user.created', ({ user: { login } }) => void heard.push(`first ${login}`));
  events.on('user.created', () => {
    throw new Error('at once');
  });
  events.on('user.created', async () => {
    await Promise.resolve();
    throw new Error('later');
  });
  events.on('user.created', ({ user: { login } }) => void heard.push(`last ${login}`));
  events.emit('user.created', { user });
  await events.settled();
  assert.deepEqual(heard, ['first ada', 'last ada']);
  assert.deepEqual(faults, [
    ['user.created', 'at once'],
    ['user.created', 'later'],
  ]);
});

test('whoever emits an event waits for nobody, and it settles with what follows from it', async () => {
  const { events } = reported();
  const { promise: door, resolve: open } = Promise.withResolvers<void>();
  const heard: string[] = [];
  events.on('user.created', async () => {
    await door;
    heard.push('created');
    events.emit('user.deleted', { user, reassign: undefined });
  });
  events.on('user.deleted', async () => {
    await Promise.resolve();
    heard.push('deleted');
  });
  events.emit('user.created', { user });
  assert.deepEqual(heard, []);
  open();
  await events.settled();
  assert.deepEqual(heard, ['created', 'deleted']);
});

test('what follows an event is waited for as little, and written down when it fails', async () => {
  const { events, faults } = reported();
  const { promise: door, resolve: open } = Promise.withResolvers<void>();
  let isDone = false;
  events.follow('user.created', async () => {
    await door;
    isDone = true;
  });
  events.follow('user.deleted', () => {
    throw new Error('at once');
  });
  assert.equal(isDone, false);
  open();
  await events.settled();
  assert.equal(isDone, true);
  assert.deepEqual(faults, [['user.deleted', 'at once']]);
});

test('a report that fails itself breaks nothing', async () => {
  const events = createEvents(() => {
    throw new Error('no room for another line');
  });
  events.on('user.created', () => Promise.reject(new Error('the listener')));
  events.emit('user.created', { user });
  await events.settled();
});

const failing: Entry<{ heard: string[] }> = () => ({
  name: 'failing-listener',
  nouns: () => ({ heard: [] }),
  routes: {},
  on: {
    'user.created': ({ user: { login } }, { heard }) => {
      heard.push(login);
      throw new Error(`heard of ${heard.join()}`);
    },
    'user.changed': () => Promise.reject(new Error('refused to hear')),
  },
});

eachEngine('an extension that listens and fails', (engine) => {
  test('breaks nothing, and the log says so', async () => {
    const site = await aSite(engine, { extensions: [failing], config: {} });
    const { identity, events } = site.app.services;
    const ada = await identity.users.add({ login: 'ada' });
    const changed = await identity.users.change(ada, { name: 'Ada' });
    await events.settled();
    assert.equal(changed.name, 'Ada');
    const faults = site.log.lines.splice(0).filter(({ level }) => level === 'error');
    assert.deepEqual(
      faults.map(({ details, message }) => {
        const { err, event } = details as { err: Error; event: string };
        return [event, err.message, message];
      }),
      [
        ['user.created', 'heard of ada', 'The follow-up work of an event failed.'],
        ['user.changed', 'refused to hear', 'The follow-up work of an event failed.'],
      ],
    );
  });
});
