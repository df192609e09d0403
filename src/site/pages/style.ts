// How the pages look: one column, calm, one colour that asks for attention.
import { createHash } from 'node:crypto';
import { html } from '#lib/html.ts';

/** The same wherever the site speaks. */
export const colours = html`
:root {
  color-scheme: light dark;
  --ground: #f4f2ee; --sheet: #fff; --ink: #20262b; --soft: #535c64; --line: #8a929a; --hair: #e2dfd8;
  --accent: #0f5c63; --on-accent: #fff; --wrong: #a32116; --wrong-ground: #fdf0ee; --good-ground: #eaf4f1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14181b; --sheet: #1d2327; --ink: #e8eaec; --soft: #aeb7be; --line: #7d8891; --hair: #343d43;
    --accent: #7fd0c8; --on-accent: #0b2426; --wrong: #ffaca0; --wrong-ground: #3a2320; --good-ground: #1c3431;
  }
}
`;

export const style = html`${colours}*, ::before, ::after { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; padding: 1rem; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
header, main { width: 100%; max-width: 28rem; margin-inline: auto; }
.wide { max-width: 44rem; }
header { padding-block: clamp(0rem, 5vh, 3rem) .75rem; }
header a { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; color: var(--soft); font-weight: 600; text-decoration: none; }
header a:hover { color: var(--accent); text-decoration: underline; }
main { padding: clamp(1.25rem, 5vw, 2.25rem); background: var(--sheet); border: 1px solid var(--hair); border-radius: .75rem; }
h1 { margin: 0 0 1.25rem; font-size: 1.625rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 2.5rem 0 .75rem; padding-top: 2rem; border-top: 1px solid var(--hair); font-size: 1.2rem; line-height: 1.3; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0 0 1rem; }
main > :last-child, form > :last-child { margin-bottom: 0; }
form { margin: 0 0 1rem; }
.field { margin-bottom: 1.25rem; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: .375rem; font-weight: 600; }
table { width: 100%; margin-bottom: 1rem; border-collapse: collapse; }
caption { margin-bottom: .375rem; font-weight: 600; text-align: start; }
th, td { padding: .375rem .5rem .375rem 0; border-bottom: 1px solid var(--hair); text-align: start; vertical-align: top; font-size: .875rem; }
thead th { overflow-wrap: normal; }
body:has(.narrowing) :is(header, main) { max-width: 72rem; }
.narrowing td { overflow-wrap: normal; }
@media (max-width: 46rem) {
  .narrowing :is(tr, th, td) { display: block; }
  .narrowing :is(th, td) { padding: .125rem 0; border: 0; }
  .narrowing thead { display: none; }
  .narrowing tr { padding: .75rem 0; border-bottom: 1px solid var(--hair); }
  .narrowing td { overflow-wrap: inherit; }
  .narrowing td::before { content: attr(data-head) ': '; font-weight: 600; }
}
label { display: block; margin-bottom: .375rem; font-weight: 600; }
input, select, textarea { font: inherit; color: inherit; }
.field :is(input, select, textarea) {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem;
  background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem;
}
[aria-invalid='true'] { border-color: var(--wrong) !important; box-shadow: inset 0 0 0 1px var(--wrong); }
.hint { margin: .375rem 0 0; color: var(--soft); font-size: .9375rem; }
.fault { margin: .375rem 0 0; color: var(--wrong); font-size: .9375rem; font-weight: 600; }
.check { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; margin-bottom: 1rem; font-weight: 400; }
.check input { flex: none; width: 1.375rem; height: 1.375rem; margin: 0; accent-color: var(--accent); }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; min-width: 2.75rem; padding: .5rem 1.25rem;
  font: inherit; font-weight: 600; line-height: 1.25; text-align: center; text-decoration: none; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .5rem;
}
button:hover, .button:hover { filter: brightness(1.12); }
.quiet { color: var(--accent); background: transparent; border-color: var(--line); }
.wrong { color: var(--wrong); background: transparent; border-color: var(--wrong); }
.full { width: 100%; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; margin-bottom: 1rem; }
.row > * { margin: 0; }
.row > * { flex: 1 1 8rem; }
.row form { display: flex; }
.row form > button { flex: 1; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
a { color: var(--accent); text-underline-offset: .2em; }
.link { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; }
.note, .alert { margin: 0 0 1.25rem; padding: .75rem 1rem; border-radius: .5rem; background: var(--good-ground); border-inline-start: .25rem solid var(--accent); }
.alert { background: var(--wrong-ground); border-color: var(--wrong); }
:is(.note, .alert) > :last-child { margin-bottom: 0; }
.list { list-style: none; margin: 0 0 1.25rem; padding: 0; }
.list > li { position: relative; padding: 1rem 0; border-bottom: 1px solid var(--hair); }
dl { display: grid; grid-template-columns: minmax(5.5rem, auto) 1fr; gap: .125rem 1rem; margin: .375rem 0 1rem; font-size: .9375rem; }
dt { color: var(--soft); }
dd { margin: 0; }
.stacked { display: block; font-size: 1rem; }
.stacked dd { margin-bottom: .5rem; }
details { margin-bottom: 1rem; }
li details { margin: 0; }
li dl { margin-bottom: .25rem; }
li > form { margin-block: .75rem 0; }
summary { display: inline-flex; align-items: center; min-height: 2.75rem; cursor: pointer; color: var(--accent); text-decoration: underline; text-underline-offset: .2em; }
summary::-webkit-details-marker { display: none; }
details[open] > form { padding: .5rem 0; }
.secret { display: block; margin: .5rem 0; padding: .75rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; font: 1.125rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, monospace; user-select: all; }
:is(a, button, input, select, textarea, summary):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (prefers-reduced-motion: no-preference) { button, .button { transition: filter .15s; } }
@media (forced-colors: active) { button, .button { border-color: ButtonText; } }
`;

/** What the policy of a page knows it by. */
export const hashOf = (written: string): string => `'sha256-${createHash('sha256').update(written).digest('base64')}'`;

export const styleHash = hashOf(String(style));
