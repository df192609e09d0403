import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Probe } from '../probe.ts';

/** Routes that refuse, each in its own way. */
export function failing({ route, t, when, denied, Problem }: Toolkit<Probe>) {
  const envelope = {
    success: (body: unknown) => ({ success: true, data: body }),
    failure: () => ({ kind: 'probe' }),
  };
  const throwing = (path: string, error: () => Error) =>
    route({
      method: 'GET',
      path,
      summary: 'A failure',
      access: 'public',
      handle: () => {
        throw error();
      },
    });
  return [
    throwing('crash', () => new Error('the password is swordfish')),
    throwing('away', () => new Unavailable('connection refused by 10.1.2.3', { retryAfter: 7 })),
    throwing('full', () => new OutOfSpace('no room on /dev/sda1')),
    throwing('elsewhere', () => new Problem(502, 'probe_elsewhere', 'Another service does not answer.')),
    throwing('several', () => {
      const others = [{ code: 'probe_second', message: 'Another reason.', data: { status: 409 } }];
      const more = { others, also: [{ extra: false }], headers: { 'X-Probe': 'yes' } };
      return new Problem(409, 'probe_first', 'One reason.', { extra: true }, more);
    }),
    route({
      method: 'POST',
      path: 'broken',
      summary: 'A write that breaks, and a rule that breaks when it is asked',
      access: when(() => {
        throw new Error('the password is swordfish');
      }),
      batch: true,
      handle: () => null,
    }),
    route({
      method: 'PUT',
      path: 'broken',
      summary: 'A write beside a rule that breaks',
      access: 'public',
      batch: true,
      args: { number: t.integer() },
      handle: () => null,
    }),
    route({
      method: ['GET', 'POST'],
      path: 'enveloped',
      summary: 'A family with an envelope of its own',
      access: when(
        (_caller, { number }: { number?: number }) => number !== 1 || denied('probe_denied', 'Not the number one.'),
      ),
      args: { number: t.integer() },
      envelope,
      handle: ({ args }) => {
        if (args.number === 0) throw new Error('the password is swordfish');
        return { number: args.number };
      },
    }),
    route({
      method: 'GET',
      path: 'guarded',
      summary: 'Permission before arguments',
      access: 'probe_use',
      accessFirst: true,
      args: { number: t.integer() },
      handle: ({ args }) => ({ ...args }),
    }),
    route({
      method: 'GET',
      path: 'guarded-twice',
      summary: 'Permission before arguments, and again with them',
      access: when(
        (caller, { number }: { number?: number }) =>
          caller.id !== 0 && (number !== 13 || denied('probe_13', 'Not 13.')),
      ),
      accessFirst: true,
      args: { number: t.integer() },
      handle: ({ args }) => ({ ...args }),
    }),
    route({
      method: 'POST',
      path: 'keyed',
      summary: 'A token of its own',
      access: when((caller) => caller.id === 99),
      batch: true,
      credential: async ({ headers }) => ({ id: headers['x-probe-key'] === 'sesame' ? 99 : 0, can: () => false }),
      handle: ({ caller }) => ({ id: caller.id }),
    }),
    route({
      method: 'POST',
      path: 'small',
      summary: 'A limit of its own',
      access: 'public',
      bodyLimit: 100,
      args: { word: t.optional(t.string()) },
      handle: ({ args }) => ({ ...args }),
    }),
  ];
}
