// Passkeys on pages: the button where people sign in, and the page where they manage their own.
import { createHash } from 'node:crypto';
import type { Caller } from '#kernel/caller.ts';
import type { Face } from '#kernel/faces.ts';
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { type Html, html } from '#lib/html.ts';
import type { Besides, Loaded } from '#site/identity/checks.ts';
import { credentialOf } from '#site/identity/credential.ts';
import { restPurpose } from '#site/identity/sessions/sessions.ts';
import type { User } from '#site/identity/users/user.ts';
import type { HouseNow } from '#site/pages/door.ts';
import { alert, asking, field, hidden, note, textOf } from '#site/pages/forms.ts';
import { moment, page, redirect } from '#site/pages/layout.ts';
import { type Room, signedIn } from '#site/pages/signed-in.ts';
import { isTrashed } from './credentials.ts';
import type { Passkeys } from './passkeys.ts';
import { passkeyScript } from './passkeys-script.ts';
import { registerPath, verifyPath } from './routes.ts';
import type { Credential } from './tables.ts';

export const passkeysPath = '/account/passkeys';
const scriptPath = '/passkeys.js';
const maxLabelLength = 255;

interface PageUse {
  readonly passkeys: Passkeys;
  hrefOf(face: Face, path: string): string;
}

/** The path of an address of the site, without its host: people may have opened the site under another name. */
const pathOf = (url: string): string => new URL(url).pathname;

const version = createHash('sha256').update(passkeyScript).digest('hex').slice(0, 12);

const loaded = (base: string): Loaded => ({
  head: html`<script type="module" src="${base.replace(/\/$/, '')}${scriptPath}?v=${version}"></script>
`,
  sources: { 'script-src': ["'self'"], 'connect-src': ["'self'"] },
});

/** Shown once the script is there. */
export const signInButton = ({ hrefOf }: PageUse, siteUrl: string): Besides => ({
  ...loaded(pathOf(siteUrl)),
  body: html`<div data-passkey="sign-in" data-url="${pathOf(hrefOf('neutral', verifyPath))}" hidden>
<p class="fault" role="alert"></p>
<p><button type="button" class="full quiet">Sign in with a passkey</button></p>
</div>
`,
});

export function passkeyPages(use: PageUse, house: HouseNow, isRunning: () => boolean): Page[] {
  return [
    {
      path: scriptPath,
      visit: () => ({
        status: 200,
        type: 'text/javascript; charset=UTF-8',
        body: passkeyScript,
        headers: {
          'Cache-Control': 'public, max-age=31536000, immutable',
          'X-Content-Type-Options': 'nosniff',
          'Cross-Origin-Resource-Policy': 'same-origin',
        },
      }),
    },
    ...(isRunning()
      ? [
          signedIn(
            house,
            passkeysPath,
            (visit, caller, room) => listPage(visit, caller, room, use),
            (visit, caller, room) => act(visit, caller, room, use),
          ),
        ]
      : []),
  ];
}

const done: Readonly<Record<string, string>> = {
  added: 'Your new passkey was added.',
  named: 'The name of the passkey was changed.',
  removed: 'The passkey was removed. You can restore it for 7 days.',
  restored: 'The passkey was restored.',
  deleted: 'The passkey was deleted.',
  allowed: 'You can sign in with your passkeys.',
  refused: 'Passkeys no longer sign you in.',
};

const ownerOf = (caller: Caller): User => credentialOf(caller)!.user;

async function listPage(
  visit: Visit,
  caller: Caller,
  room: Room,
  { passkeys, hrefOf }: PageUse,
  fault?: string,
): Promise<PageAnswer> {
  const credential = credentialOf(caller);
  const user = ownerOf(caller);
  const nonce = credential?.kind === 'session' ? room.identity.sessions.token(credential.session, restPurpose) : '';
  const all = await passkeys.list(user);
  const said = textOf(visit.query, 'done');
  const words = Object.hasOwn(done, said) ? done[said] : undefined;
  const isAllowed = await passkeys.hasAllowed(user);
  return page(room, {
    title: 'Your passkeys',
    wide: true,
    status: fault === undefined ? 200 : 400,
    ...loaded(room.at('/')),
    body: html`${fault && alert(fault)}${words && note(words)}
<p>A passkey is a key on your phone, your computer or a security key. It signs you in with a finger, your face or a PIN instead of your password.</p>
${use(passkeys, user, isAllowed, room)}
<h2>Passkeys on your account</h2>
${all.length === 0 ? html`<p>You have no passkey yet.</p>` : html`<ul class="list">${all.map((one) => item(one, room, passkeys.host))}</ul>`}
<h2>Add a passkey</h2>
<div data-passkey="add" data-url="${pathOf(hrefOf('neutral', registerPath))}" data-nonce="${nonce}" data-done="${room.at(passkeysPath)}?done=added" hidden>
${field({ name: 'new-label', label: 'Name of the new passkey', autocomplete: 'off', longest: maxLabelLength, hint: 'For example: my phone.' })}
<p class="fault" role="alert"></p>
<button type="button">Add a passkey</button>
</div>
<p data-passkey-missing hidden>This browser cannot make passkeys. Open this page in another browser.</p>
<noscript><p>A browser needs JavaScript to make a passkey. You can name, remove and restore your passkeys without it.</p></noscript>
<p><a class="link" href="${room.at('/account')}">Back to your account</a></p>`,
  });
}

function use(passkeys: Passkeys, user: User, isAllowed: boolean, room: Room): Html {
  if (!passkeys.isOffered())
    return note(
      'This site does not accept passkeys for signing in at the moment. A security manager can turn on “Signing in without a password”.',
    );
  if (!passkeys.isInGroup(user)) return note('Your account cannot sign in with a passkey. Ask a security manager.');
  const [words, button] = isAllowed
    ? ['You can sign in with the passkeys below.', 'Sign me in with my password only']
    : ['Your passkeys do not sign you in, because you use your password only.', 'Let my passkeys sign me in'];
  return html`<p>${words}</p>
${room.form(html`${hidden('do', isAllowed ? 'refuse' : 'allow')}<button class="quiet">${button}</button>`)}`;
}

function item(credential: Credential, room: Room, host: string): Html {
  const { credential_id: id, label, created_at, last_used, trashed_at, backed_up } = credential;
  const name = label === '' ? 'Passkey without a name' : label;
  const which = html`<span class="unseen">: ${name}</span>`;
  const facts = html`<h3><bdi>${name}</bdi>${isTrashed(credential) && ' (removed)'}</h3>
<dl><dt>Added</dt><dd>${moment(room, created_at)}</dd>
<dt>Last used</dt><dd>${last_used === null ? 'never' : moment(room, last_used)}</dd>
${trashed_at !== null && html`<dt>Removed</dt><dd>${moment(room, trashed_at)}</dd>`}
<dt>Copied to your other devices</dt><dd>${backed_up === 1 ? 'yes' : 'no'}</dd></dl>
${credential.rp_id !== host && html`<p>It works only at ${credential.rp_id}, where this site was before. Add a new passkey here.</p>`}`;
  const form = (deed: string, inside: Html): Html => room.form(html`${hidden('do', deed)}${hidden('id', id)}${inside}`);
  if (isTrashed(credential))
    return html`<li>${facts}
${form('restore', html`<button class="quiet"><span>Restore${which}</span></button>`)}
${asking(html`Delete${which} …`, form('delete', html`<button class="wrong"><span>Yes, delete it permanently${which}</span></button>`))}</li>
`;
  const input = { name: 'label', label: 'Name', value: label, autocomplete: 'off', longest: maxLabelLength } as const;
  return html`<li>${facts}
${asking(html`Rename${which} …`, form('name', html`${field({ ...input, id: `label-${id}` })}<button><span>Rename${which}</span></button>`))}
${asking(html`Remove${which} …`, form('remove', html`<button class="wrong"><span>Yes, remove it${which}</span></button>`))}</li>
`;
}

/** What is gone already is as it should be. */
async function act(visit: Visit, caller: Caller, room: Room, pageUse: PageUse): Promise<PageAnswer> {
  const { passkeys } = pageUse;
  const user = ownerOf(caller);
  const to = (what: string): PageAnswer => redirect(`${room.at(passkeysPath)}?done=${what}`, { status: 303 });
  const deed = textOf(visit.form, 'do');
  if (deed === 'allow' || deed === 'refuse') {
    await passkeys.allow(user, deed === 'allow');
    return to(deed === 'allow' ? 'allowed' : 'refused');
  }
  const found = await passkeys.get(textOf(visit.form, 'id'));
  const credential = found?.user_id === user.id ? found : undefined;
  if (credential === undefined) return redirect(room.at(passkeysPath), { status: 303 });
  switch (deed) {
    case 'name': {
      const label = textOf(visit.form, 'label').trim();
      if (label === '' || label.length > maxLabelLength)
        return listPage(visit, caller, room, pageUse, 'A name must have 1 to 255 characters.');
      await passkeys.change(credential, { label });
      return to('named');
    }
    case 'remove':
      await passkeys.change(credential, { status: 'trash' });
      return to('removed');
    case 'restore':
      await passkeys.change(credential, { status: 'active' });
      return to('restored');
    case 'delete':
      await passkeys.remove(credential);
      return to('deleted');
    default:
      return redirect(room.at(passkeysPath), { status: 303 });
  }
}
