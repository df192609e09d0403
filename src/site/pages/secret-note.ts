import { type Html, html } from '#lib/html.ts';
import type { NewApplicationPassword } from '../identity/application-passwords/application-passwords.ts';

/** A new application password, the one time it is shown. */
export const secretNote = ({ name, password }: NewApplicationPassword): Html =>
  html`<div class="note" role="status"><p>The password for <strong>“<bdi>${name}</bdi>”</strong>. Please copy it now: nobody can show it again.</p>
<code class="secret">${password}</code></div>`;
