// The parts of forms, made so that people who see, hear or feel the page are told the same.

import type { PageAnswer } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { type Html, html, type Part } from '#lib/html.ts';
import { type Grounds, page } from './layout.ts';

/** A value that was sent as text; a list, or nothing, is no text. */
export function textOf(sent: Readonly<Record<string, unknown>>, name: string): string {
  const value = sent[name];
  return typeof value === 'string' ? value : '';
}

/** The uuid of what a form makes, so that sending it twice makes one; a form without it makes one each time. */
export function uuidIn(sent: Readonly<Record<string, unknown>>): { readonly uuid?: string } {
  const uuid = textOf(sent, 'uuid');
  return uuid === '' ? {} : { uuid };
}

/** What a noun refuses of what was typed, to be told beside the field. */
export function asFault(error: unknown): Problem {
  if (error instanceof Problem && error.status === 400) return error;
  throw error;
}

/**
 * What a form is shown again with: what is wrong with each of the fields that it shows, by its name, where the refusal says so, else of
 * `all`. What typing otherwise does not mend is thrown: whoever may not do it at all, and whatever is broken.
 */
export function faultsOf(error: unknown, shown: readonly string[]): Readonly<Record<string, string>> {
  if (!(error instanceof Problem) || !isMendable(error)) throw error;
  const { params } = error.details;
  const said = Object.entries(params ?? {}).filter(([name]) => shown.includes(name));
  return said.length > 0 ? Object.fromEntries(said) : { all: error.message };
}

const isMendable = ({ status }: Problem): boolean =>
  typeof status === 'number' && status >= 400 && status < 500 && status !== 401 && status !== 403;

interface Field {
  readonly name: string;
  /** Where a page has several fields of this name. */
  readonly id?: string | undefined;
  readonly label: string;
  readonly type?: 'text' | 'password' | 'email' | undefined;
  readonly value?: string | undefined;
  /** What a password keeper may fill in. */
  readonly autocomplete: 'username' | 'current-password' | 'new-password' | 'email' | 'one-time-code' | 'off';
  readonly hint?: string | undefined;
  /** What is wrong with what was typed. */
  readonly fault?: string | undefined;
  /** The element that says what is wrong, where that is not this field alone. */
  readonly faultIn?: string | undefined;
  readonly focus?: boolean | undefined;
  readonly longest?: number | undefined;
}

export function field({ name, label, type = 'text', value = '', autocomplete, ...more }: Field): Html {
  const { id = name, hint, fault, faultIn, focus = false, longest } = more;
  const described = [hint && `${id}-hint`, fault && `${id}-fault`, faultIn].filter(Boolean).join(' ');
  const isWrong = fault !== undefined || faultIn !== undefined;
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required${longest && html` maxlength="${longest}"`}${
    autocomplete === 'username' && html` autocapitalize="none" spellcheck="false"`
  }${autocomplete === 'one-time-code' && html` inputmode="numeric" autocapitalize="none" spellcheck="false"`}${described !== '' && html` aria-describedby="${described}"`}${isWrong && html` aria-invalid="true"`}${focus && html` autofocus`}>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${fault && html`<p class="fault" id="${id}-fault">${fault}</p>`}
</div>`;
}

interface Choice extends Pick<Field, 'name' | 'label' | 'value' | 'fault'> {
  /** What is sent, and what people read. */
  readonly options: Readonly<Record<string, string>>;
}

export const choice = ({ name, label, options, value, fault }: Choice): Html => html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}"${fault && html` aria-describedby="${name}-fault" aria-invalid="true"`}>${Object.entries(
  options,
).map(([sent, read]) => html`<option value="${sent}"${sent === value && html` selected`}>${read}</option>`)}</select>
${fault && html`<p class="fault" id="${name}-fault">${fault}</p>`}
</div>`;

export const check = (name: string, label: string, value: string, isChecked = false): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}><span>${label}</span></label>`;

/** Sent along unseen; nothing when there is nothing to send. */
export const hidden = (name: string, value: string): Html | undefined =>
  value === '' ? undefined : html`<input type="hidden" name="${name}" value="${value}">`;

export const alert = (words: Part): Html => html`<div class="alert" role="alert" id="alert"><p>${words}</p></div>`;

export const note = (words: Part): Html => html`<div class="note" role="status"><p>${words}</p></div>`;

/** Asks before it does what cannot be undone, without a script. `open`: shown at once. */
export const asking = (question: Part, form: Html, open = false): Html =>
  html`<details${open && html` open`}><summary><span>${question}</span></summary>${form}</details>`;

/** Of pages whose address holds a secret. */
export const withoutReferrer = { 'Referrer-Policy': 'no-referrer' };

interface DeadLink {
  readonly title?: string;
  readonly status?: number;
  readonly words: string;
  /** What to do instead. */
  readonly more?: Html;
}

/** The page behind a link of an email that does nothing, or nothing here. */
export const deadLink = (
  house: Grounds,
  { title = 'This link has expired', status = 404, words, more }: DeadLink,
): PageAnswer => page(house, { title, status, headers: withoutReferrer, body: html`${alert(words)}${more}` });
