// What a form shows of a captcha: nothing is loaded from its maker before a visitor agreed to that.
import { createHash } from 'node:crypto';
import { html, markup } from '#lib/html.ts';
import type { Besides } from '#site/identity/checks.ts';
import { makers, type Place } from './makers.ts';
import type { CaptchaSettings } from './said.ts';

/** The name by which an address, and then the form, says that its visitor agreed. */
const agreed = 'captcha';

export function captchaIn(settings: CaptchaSettings, place: Place, query: Readonly<Record<string, unknown>>): Besides {
  const maker = makers[settings.provider];
  if (settings.gdpr && query[agreed] !== 'agreed') return { body: asking(maker.title, query) };
  return {
    body: html`<input type="hidden" name="${agreed}" value="agreed">
${maker.box(settings, place)}
<noscript><p class="fault">This form needs scripts, so that ${maker.title} can tell you from a program.</p></noscript>
`,
    head: html`<script src="${maker.script(settings)}" async defer></script>
<script type="module">${markup(glue)}</script>
`,
    sources: { ...maker.sources, 'script-src': [...(maker.sources['script-src'] ?? []), glueHash] },
  };
}

/** The same page once more, and what its address said. */
function asking(title: string, query: Readonly<Record<string, unknown>>) {
  const kept = ['action', 'redirect_to', 'reauth', 'user_login'].flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  const again = new URLSearchParams([...kept, [agreed, 'agreed']]);
  return html`<p>Before you go on, ${title} has to tell you from a program. For this your browser loads a script from ${title}, which sees your address and how you use this page. <a class="link" href="?${String(again)}">I agree, show it</a></p>
`;
}

/** For the kinds that wait for a form to be sent before they look at who sends it. */
const glue = `
const part = document.querySelector('[data-captcha]');
const form = part && part.closest('form');
if (form) {
  const solved = () => form.elements['g-recaptcha-response']?.value;
  window.captchaSolved = () => form.requestSubmit();
  form.addEventListener('submit', (event) => {
    if (solved()) return;
    event.preventDefault();
    grecaptcha.ready(async () => {
      if (!part.dataset.captcha) return grecaptcha.execute();
      part.value = await grecaptcha.execute(part.dataset.captcha, { action: part.dataset.action });
      form.requestSubmit();
    });
  });
}
`;

const glueHash = `'sha256-${createHash('sha256').update(glue).digest('base64')}'`;
