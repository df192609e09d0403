// What a form shows of a captcha: nothing is loaded from its maker before a visitor agreed to that.
import { createHash } from 'node:crypto';
import { html, markup } from '#lib/html.ts';
import type { Besides, Loaded } from '#site/identity/checks.ts';
import { makers, type Place } from './makers.ts';
import type { CaptchaSettings } from './settings.ts';

/** The name by which an address, and then the form, says that its visitor agreed. */
const agreed = 'captcha';

export function captchaIn(settings: CaptchaSettings, place: Place, query: Readonly<Record<string, unknown>>): Besides {
  const maker = makers[settings.provider];
  const hasAgreed = !settings.gdpr || query[agreed] === 'agreed';
  if (!hasAgreed && !settings.on_page_opt_in) return { body: asking(maker.title, query) };
  const script = maker.script(settings);
  const box = boxOf(settings, place);
  return {
    body: hasAgreed
      ? box
      : html`${asking(maker.title, query, script)}<template data-captcha-box>
${box}</template>
`,
    head: html`${hasAgreed && loading(script)}<script type="module">${markup(glue)}</script>
`,
    sources: { ...maker.sources, 'script-src': [...(maker.sources['script-src'] ?? []), glueHash] },
  };
}

/** The kind that judges visitors by what they do may look on from the first page, where nobody has to be asked. */
export function captchaEverywhere(settings: CaptchaSettings): Loaded | undefined {
  const { provider, type, v3_include_location, gdpr } = settings;
  if (provider !== 'google' || type !== 'v3' || v3_include_location !== 'everywhere' || gdpr) return undefined;
  const maker = makers[provider];
  return { head: loading(maker.script(settings)), sources: maker.sources };
}

const loading = (script: string) => html`<script src="${script}" async defer></script>
`;

function boxOf(settings: CaptchaSettings, place: Place) {
  const { title, box } = makers[settings.provider];
  return html`<input type="hidden" name="${agreed}" value="agreed">
${box(settings, place)}
<noscript><p class="fault">This form needs JavaScript for the CAPTCHA of ${title}.</p></noscript>
`;
}

/** The same page once more, and what its address said. `script`: what is loaded instead, where the page can go on as it is. */
function asking(title: string, query: Readonly<Record<string, unknown>>, script?: string) {
  const kept = ['action', 'redirect_to', 'reauth', 'user_login'].flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  const again = new URLSearchParams([...kept, [agreed, 'agreed']]);
  return html`<p>This form needs a CAPTCHA of ${title}. Your browser then loads a script from ${title}, which sees your IP address and how you use this page. <a class="link" href="?${String(again)}"${script !== undefined && html` data-captcha-script="${script}"`}>I agree, show it</a></p>
`;
}

/**
 * For the kinds that wait for a form to be sent before they look at who sends it, and for visitors who agree on the page. What they
 * typed stays.
 */
const glue = `
const begin = () => {
  const part = document.querySelector('[data-captcha]');
  const form = part && part.closest('form');
  if (!form) return;
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
};
const link = document.querySelector('[data-captcha-script]');
link?.addEventListener('click', (event) => {
  event.preventDefault();
  const script = document.createElement('script');
  script.src = link.dataset.captchaScript;
  link.closest('p').replaceWith(document.querySelector('template[data-captcha-box]').content);
  document.head.append(script);
  begin();
});
begin();
`;

const glueHash = `'sha256-${createHash('sha256').update(glue).digest('base64')}'`;
