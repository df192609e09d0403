// The guard against doubles of other sites, with a clock that the test moves.
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { after } from 'node:test';
import type { Connect } from '#site/outgoing/connect.ts';
import { createOutgoing } from '#site/outgoing/guard.ts';
import { type Purpose, Upstream } from '#site/outgoing/outgoing.ts';
import { keptLog } from './databases.ts';
import { aRemote, aRudeRemote, type Remote } from './remote.ts';

export const plain: Purpose = { name: 'test', types: ['text/plain'], most: 1000 };

/** Time passes when the test says so. */
export function slowTime() {
  const timers = new Set<{ readonly milliseconds: number; act: () => void }>();
  const later = (milliseconds: number, act: () => void) => {
    const timer = { milliseconds, act };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const pass = (milliseconds: number) => {
    for (const timer of [...timers].filter((one) => one.milliseconds <= milliseconds)) {
      timers.delete(timer);
      timer.act();
    }
  };
  return { later, pass, waiting: () => timers.size };
}

export function guard(remote: Remote, connect?: Connect) {
  const time = slowTime();
  const log = keptLog();
  const outgoing = createOutgoing({
    allowHosts: [remote.host],
    version: '1',
    log,
    after: time.later,
    ...(connect && { connect }),
  });
  const read = async (purpose: Partial<Purpose> = {}) =>
    (await outgoing.fetch(remote.url, { ...plain, ...purpose })).text();
  return { outgoing, time, log, read };
}

export async function remote(answer: RequestListener): Promise<Remote> {
  const one = await aRemote(answer);
  after(() => one.close());
  return one;
}

export async function rude(answer: (socket: Socket) => void): Promise<Remote> {
  const one = await aRudeRemote(answer);
  after(() => one.close());
  return one;
}

export const fault = (name: Upstream['fault'], status?: number) => (error: unknown) =>
  error instanceof Upstream && error.fault === name && (status === undefined || error.status === status);

/** The beginning of an answer that goes well so far. */
export const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';
