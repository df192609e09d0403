// What is seen of the request by which somebody asks how the site is. What the headers hold is told to nobody.
import { type Asked, note, ok, type Seen, warning } from './check.ts';
import type { Installation } from './installation.ts';

const expected = `Basic ${Buffer.from('user:pwd').toString('base64')}`;

/** What proxies say whom they stand for with. */
const forwarding = ['x-forwarded-for', 'forwarded'] as const;

/** Clients send `user:pwd`, beside the session of somebody, to see whether it arrives. */
export function authorization({ trustProxy }: Installation, { headers }: Asked): Seen {
  const { authorization: sent } = headers;
  const isBehind = trustProxy.length > 0 || forwarding.some((name) => headers[name] !== undefined);
  const trying =
    'It is tried with the user name “user” and the password “pwd”, beside the session of an administrator.';
  const remedy = isBehind ? `${trying} If it was, have the proxy hand the header Authorization on as it is.` : trying;
  if (sent === undefined) return warning('this request came without one, so programs may not get in', remedy);
  if (sent === expected) return ok('it arrives as it was sent');
  return warning('this request came with another one than is sent to try it', remedy);
}

/** Whether the address of whoever asks is the client's, or that of something in between. */
export function proxy({ trustProxy }: Installation, { headers, address }: Asked): Seen {
  const name = forwarding.find((one) => headers[one] !== undefined);
  const setting = 'GATEHOUSE_TRUST_PROXY';
  if (name === undefined) {
    if (trustProxy.length === 0) return ok('nothing stands between the site and its visitors');
    return note('this request came without a proxy, or through one that does not tell whom it stands for');
  }
  if (trustProxy.length === 0)
    return warning(
      'this request came through one that is not trusted, so every client looks like it',
      `Set ${setting} to the address of the proxy.`,
    );
  if (name === 'x-forwarded-for' && !isAmong(headers[name] ?? '', address))
    return warning(
      'this request came through one that is not among those trusted',
      `Add the address of the proxy to ${setting}.`,
    );
  return ok('the one before the site is trusted, and tells whom it stands for');
}

const isAmong = (list: string, address: string): boolean => list.split(',').some((one) => one.trim() === address);
