// Pages of devices: the one behind the links of emails, and the list on the account page. None of them needs JavaScript.
import type { Caller } from '#kernel/caller.ts';
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { browserName } from '#lib/browser-name.ts';
import { type Html, html } from '#lib/html.ts';
import type { AccountLink } from '#site/identity/checks.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { User } from '#site/identity/users/user.ts';
import { accountPath, type House, type HouseNow, noSession, opened } from '#site/pages/door.ts';
import { asking, deadLink, hidden, note, textOf, withoutReferrer } from '#site/pages/forms.ts';
import { moment, page, redirect } from '#site/pages/layout.ts';
import { type Room, signedIn } from '#site/pages/signed-in.ts';
import { type Devices, isOpen, isTrusted } from './devices.ts';
import { type Deed, deviceLinkPath } from './emails.ts';
import { deviceErrors } from './errors.ts';
import type { DeviceStatus } from './tables.ts';
import type { KnownDevice } from './types.ts';

export const devicesPath = '/account/devices';

interface PageDeps {
  readonly devices: Devices;
  readonly users: Pick<Identity['users'], 'find'>;
}

export const devicePages = (deps: PageDeps, house: HouseNow): Page[] => [
  {
    path: deviceLinkPath,
    takesForms: true,
    visit: opened(house, (visit, _guest, room) => linkVisited(visit, room, deps)),
  },
  signedIn(
    house,
    devicesPath,
    ({ query }, caller, room) => listPage(deps, ownerOf(caller), room, textOf(query, 'done')),
    (visit, caller, room) => act(deps, visit, ownerOf(caller), room),
  ),
];

const ownerOf = (caller: Caller): User => credentialOf(caller)!.user;

const factsOf = (house: House, { device, created_at, last_seen }: KnownDevice): Html => html`<dl>
<dt>Browser</dt><dd>${browserName(device.agent)}</dd>
<dt>IP address</dt><dd>${device.ip}</dd>
<dt>First seen</dt><dd>${moment(house, created_at)}</dd>
<dt>Last sign-in</dt><dd>${moment(house, last_seen)}</dd></dl>
`;

const questions = {
  approve: ['Is this your device?', 'If you confirm it, you can use it without limits.', 'Yes, confirm this device'],
  deny: [
    'Deny this device?',
    'You are signed out everywhere, and you get an email to choose a new password. The device can never sign in again.',
    'Deny this device',
  ],
} as const satisfies Record<Deed, readonly string[]>;

/** The links of emails. Apps that look through mail open them, so that a button does what they are for. */
async function linkVisited({ method, query, form, address }: Visit, house: House, deps: PageDeps): Promise<PageAnswer> {
  const { devices, users } = deps;
  const sent = method === 'POST' ? form : query;
  const link = devices.isOn() ? devices.linkIn(sent) : undefined;
  const user = link && (await users.find(link.user));
  const found = user && (await devices.find(user, link.uuid));
  if (link === undefined || user === undefined || found === undefined) return over(house);
  if (!isOpen(found)) return already(house, found);
  if (method === 'GET') return question(house, link.deed, found, sent);
  const isDone = await (link.deed === 'approve' ? devices.approve(user, found) : devices.deny(user, found, address));
  if (!isDone) return already(house, (await devices.find(user, link.uuid)) ?? found);
  return link.deed === 'approve' ? approvedPage(house) : deniedPage(house);
}

function question(house: House, deed: Deed, found: KnownDevice, sent: Visit['query']): PageAnswer {
  const [title, words, button] = questions[deed];
  const fields = ['user', 'device', 'do', 'until', 'key'].map((name) => hidden(name, textOf(sent, name)));
  return page(house, {
    title,
    headers: withoutReferrer,
    body: html`${factsOf(house, found)}<p>${words}</p>
<form method="post" action="${house.at(deviceLinkPath)}">
${fields}<button class="full">${button}</button>
</form>`,
  });
}

const approvedPage = (house: House): PageAnswer =>
  page(house, {
    title: 'The device is confirmed',
    headers: withoutReferrer,
    body: html`${note('You can use the device without limits now.')}
<p><a class="button full" href="${house.at('/')}">Go to the front page</a></p>`,
  });

const deniedPage = (house: House, cookies: readonly string[] = []): PageAnswer =>
  page(house, {
    title: 'The device is denied',
    headers: { ...withoutReferrer, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) },
    body: html`${note('All sessions of your account have ended, and its password no longer works.')}
<p>You receive an email with a link to choose a new password. It works once, within 24 hours.</p>
<p>Passkeys, authenticator apps and recovery codes that were added since the first sign-in of the device no longer work. Add yours
again.</p>`,
  });

const already = (house: House, { status }: KnownDevice): PageAnswer =>
  deadLink(house, {
    title: status === 'denied' ? 'The device was denied' : 'The device was confirmed',
    status: 409,
    words: 'You confirmed or denied this device before, so nothing was changed.',
  });

const over = (house: House): PageAnswer =>
  deadLink(house, {
    words: 'A link works for 7 days, and must not be changed. Open it from the email again, or sign in again.',
  });

const statusWords: Readonly<Record<DeviceStatus, string>> = {
  approved: 'confirmed',
  'auto-approved': 'confirmed, because it is similar to one of your devices',
  'pending-auto-approve':
    'not confirmed yet; it will be confirmed after 5 days, because it is similar to one of your devices',
  pending: 'not confirmed',
  denied: 'denied',
};

const doneWords: Readonly<Record<string, string>> = {
  approve: 'The device is confirmed.',
  resend: 'If this device is not confirmed, you receive an email with a link.',
  final: 'You confirmed or denied this device before, so nothing was changed.',
};

async function listPage({ devices }: PageDeps, user: User, room: Room, done: string): Promise<PageAnswer> {
  const current = await devices.current(user);
  const words = Object.hasOwn(doneWords, done) ? doneWords[done] : undefined;
  const isMine = current !== undefined && isTrusted(current);
  const body = isMine
    ? html`<h2>Devices of your account</h2>
<ul class="list">${(await devices.list(user)).map((one) => item(one, current, room))}</ul>`
    : html`<p>${stateOf(devices, user, current)}</p>
${current?.status === 'pending' && room.form(html`${hidden('do', 'resend')}<button class="quiet">Email me the link again</button>`)}`;
  return page(room, {
    title: 'Your devices',
    wide: true,
    body: html`${words && note(words)}${body}
<p><a class="link" href="${room.at(accountPath)}">Back to your account</a></p>`,
  });
}

function item(one: KnownDevice, current: KnownDevice, room: Room): Html {
  const which = html`<span class="unseen">: ${browserName(one.device.agent)}, ${one.device.ip}</span>`;
  const form = (deed: Deed, button: Html): Html =>
    room.form(html`${hidden('do', deed)}${hidden('device', one.uuid)}${button}`);
  const approve =
    one.status !== 'auto-approved' &&
    form('approve', html`<button class="quiet"><span>Confirm${which}</span></button>`);
  const deny = asking(
    html`Deny${which} …`,
    html`<p>${questions.deny[1]}</p>${form('deny', html`<button class="wrong"><span>Deny${which}</span></button>`)}`,
  );
  return html`<li><h3>${browserName(one.device.agent)}${one.id === current.id && ' (this device)'}</h3>
<p>It is ${statusWords[one.status]}.</p>
${factsOf(room, one)}${isOpen(one) && html`${approve}${deny}`}</li>
`;
}

async function act({ devices }: PageDeps, { form, address }: Visit, user: User, room: Room): Promise<PageAnswer> {
  const back = (done: string): PageAnswer => redirect(`${room.at(devicesPath)}?done=${done}`, { status: 303 });
  const deed = textOf(form, 'do');
  const current = await devices.current(user);
  if (deed === 'resend') {
    if (current?.status === 'pending') devices.resend(user, current);
    return back('resend');
  }
  if (current === undefined || !isTrusted(current)) throw deviceErrors.deviceUnconfirmed();
  const found = await devices.find(user, textOf(form, 'device'));
  if (found === undefined || (deed !== 'approve' && deed !== 'deny')) return back('');
  if (deed === 'approve') return back((await devices.approve(user, found)) ? 'approve' : 'final');
  return (await devices.deny(user, found, address)) ? deniedPage(room, [noSession(room)]) : back('final');
}

function stateOf(devices: Devices, user: User, current: KnownDevice | undefined): string {
  if (current !== undefined && isTrusted(current))
    return 'See the devices of your account, and deny devices that are not yours.';
  if (!devices.isWatched(user)) return 'Device recognition is turned off for your account.';
  const state = devices.isRestricting()
    ? 'This device is not confirmed, so you have fewer rights on it.'
    : 'This device is not confirmed.';
  // Devices that are similar to another one get no email.
  return current?.status === 'pending-auto-approve'
    ? `${state} Confirm it on another device of yours, or wait 5 days after your first sign-in on this device.`
    : `${state} Open the email that you got when you signed in, and confirm the device.`;
}

export async function devicesLink(devices: Devices, user: User): Promise<AccountLink> {
  return { path: devicesPath, title: 'Your devices', about: stateOf(devices, user, await devices.current(user)) };
}
