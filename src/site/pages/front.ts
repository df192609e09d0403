// The front page, until the public site stands: the site's title, and where its interface is.

import type { Page } from '#kernel/http/page.ts';
import type { SiteFacts } from '#kernel/kernel.ts';
import { escapeHtml } from '#lib/html.ts';

export interface FrontOptions {
  /** Where clients of this family look for the interface. */
  readonly root: string;
  readonly language: string;
  facts(): SiteFacts;
}

const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const frontPage = (options: FrontOptions): Page => ({
  path: '/',
  visit: () => ({
    status: 200,
    type: 'text/html; charset=UTF-8',
    headers: {
      Link: `<${options.root}/>; rel="https://api.w.org/"`,
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
    },
    body: html(options),
  }),
});

/** The facts are HTML text already. */
function html({ root, language, facts }: FrontOptions): string {
  const { name, description } = facts();
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="https://api.w.org/" href="${root}/">
</head>
<body>
<main>
<h1>${name}</h1>
${description === '' ? '' : `<p>${description}</p>\n`}<p><a href="${root}/">The interface of this site</a></p>
</main>
</body>
</html>
`;
}
