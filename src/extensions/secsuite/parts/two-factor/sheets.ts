// What the sign-in and the account page show of two-factor authentication: fields for codes, and how to set up an app. No script is
// needed.
import { encode } from 'uqr';
import { type Html, html, markup } from '#lib/html.ts';
import { field } from '#site/pages/forms.ts';
import { recoveryCodeCount, spacedCode } from './codes.ts';
import type { SetUp } from './factors.ts';
import type { Emailed } from './proof.ts';
import type { Pending } from './rows.ts';
import { base32, otpauthUri } from './totp.ts';

/** Nothing logs what is sent by this name. */
export const codeField = 'two_factor_code';

export const codeInput = (label: string, fault: string | undefined, hint?: string): Html =>
  field({
    name: codeField,
    label,
    autocomplete: 'one-time-code',
    longest: 20,
    ...(hint !== undefined && { hint }),
    ...(fault !== undefined && { fault }),
    focus: true,
  });

/** A further button of a form. It needs no code, so the browser does not ask for one. */
export const otherButton = (value: string, words: string): Html =>
  html`<button class="full quiet" name="other" value="${value}" formnovalidate>${words}</button>
`;

/** How a code is emailed, as a sentence. */
export const emailedWords: Readonly<Record<Emailed, string>> = {
  sent: 'A code was emailed to you. It works once, within 15 minutes. If no email arrives, look in your spam folder.',
  waiting: 'A code was emailed to you less than 15 minutes ago. If no email arrived, look in your spam folder.',
  'too-many': 'You received 10 codes within 1 hour, so no further code was sent. Use the last code, or wait 1 hour.',
  'not-sent': 'The code could not be emailed. Try again in a few minutes, or use a recovery code.',
};

/** Whether a code is on its way that can be typed. */
export const isOnItsWay = (emailed: Emailed): boolean => emailed === 'sent' || emailed === 'waiting';

const recoveryHint = 'You can also enter one of your recovery codes.';
const lostHint = 'If you lost your phone, ask the operator of the site for help.';

export function hintOf({ codes, app, email }: SetUp): string | undefined {
  // Users whose only method is an app can have no way to sign in left.
  const hints = [...(codes > 0 ? [recoveryHint] : []), ...(app && !email ? [lostHint] : [])];
  return hints.length > 0 ? hints.join(' ') : undefined;
}

export const wrongCode =
  'This code is wrong or was used before. Enter the newest code. For codes of an app, check the time on your phone.';

const quiet = 4;
const pixels = 5;

/** As an SVG that stands in the page: black on white, whatever the colors of the page are. */
export function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: quiet });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const side = size * pixels;
  return markup(
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="QR code of the key below" width="${side}" height="${side}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark.join('')}"/></svg>`,
  );
}

/** The QR code and the key as text, for an app on this device or one without a camera. */
export function appKey({ seed }: Pending, site: string, login: string): Html {
  const uri = otpauthUri(seed, site, login);
  const key = base32(seed).replace(/(.{4})(?=.)/g, '$1 ');
  return html`<p>Open your authenticator app, and scan this code:</p>
<p>${qrCode(uri)}</p>
<p>Or enter this key in the app: <code id="two-factor-key">${key}</code></p>
<p><a class="link" href="${uri}">Open an app on this device</a></p>
`;
}

/** Nothing, if there is none to show. */
export const recoveryCodes = (codes: readonly string[]): Html | undefined =>
  codes.length === 0
    ? undefined
    : html`<p>Write down these ${recoveryCodeCount} recovery codes, or print them. Each lets you sign in once if you lose your phone. They are not
shown again.</p>
<ol class="codes" id="recovery-codes">${codes.map((code) => html`<li><code>${spacedCode(code)}</code></li>`)}</ol>
`;
