// A page that shows the OpenAPI document of the running site, to read and to try. Its files are those of the installed package, and
// it asks no other host: the content security policy holds that.
import { raw } from './answer.ts';
import { kernelErrors } from './errors.ts';
import type { Face, Roots } from './faces.ts';
import { type Route, routeMaker } from './route.ts';
import { t } from './schema.ts';

interface Use {
  readonly roots: Roots;
  readonly version: string;
  readonly readReferenceFile: ReadReferenceFile;
}

/** Reads a file of the package that shows the document. */
export type ReadReferenceFile = (name: string) => Promise<Uint8Array>;

/** The files of the package that the page loads, with their types. */
const files: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=UTF-8',
  'swagger-ui.css': 'text/css; charset=UTF-8',
  'favicon-32x32.png': 'image/png',
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A session of a browser counts only with its token, which signed-in visitors are given at this address. The document names the
 * public address of the site: requests go to where the page was read from, since the operator may read it from elsewhere. The package
 * gives no name to the fields of an operation, and no focus to answers that scroll: that is added whenever the page changes.
 */
const startFor = (
  base: string,
): string => `const answer = await fetch('${base}/wp-admin/admin-ajax.php?action=rest-nonce').catch(() => undefined);
let token = answer?.ok ? await answer.text() : undefined;
const labels = {
  '#servers': () => 'Server',
  '[data-param-name] :is(input, select, textarea)': (one) => one.closest('[data-param-name]').dataset.paramName,
  '.body-param textarea': () => 'Request body',
  '.content-type-wrapper select, .content-type': () => 'Media type',
};
const complete = () => {
  for (const [selector, label] of Object.entries(labels))
    for (const one of document.querySelectorAll(selector)) if (!one.ariaLabel) one.ariaLabel = label(one);
  for (const one of document.querySelectorAll('pre.microlight')) one.tabIndex = 0;
};
new MutationObserver(complete).observe(document.querySelector('#reference'), { childList: true, subtree: true });
window.SwaggerUIBundle({
  url: new URL('../openapi.json', import.meta.url).href,
  dom_id: '#reference',
  docExpansion: 'list',
  filter: true,
  validatorUrl: null,
  syntaxHighlight: { theme: 'idea' },
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    if (token && !request.headers.Authorization) request.headers['X-WP-Nonce'] = token;
    return request;
  },
  responseInterceptor: (response) => {
    token = response.headers?.['x-wp-nonce'] ?? token;
    return response;
  },
});
`;

/** The colours of the package are too pale to read for many. */
const style = `.swagger-ui .opblock .opblock-summary-method,
.swagger-ui .info .title small pre { color: #000; text-shadow: none; }
.swagger-ui .info .link,
.swagger-ui .info .url { color: #1f5fae; }
.swagger-ui .btn.authorize { border-color: #146c43; color: #146c43; }
.swagger-ui .btn.authorize svg { fill: #146c43; }
.swagger-ui .btn.cancel { border-color: #b3261e; color: #b3261e; }
.swagger-ui .btn.execute { background-color: #1f5fae; border-color: #1f5fae; }
.swagger-ui .download-contents { background: #3b4151; }
.swagger-ui .parameter__in,
.swagger-ui .parameter__deprecated,
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #3b4151; }
`;

/** The version is part of the files' URLs, so that browsers may keep them. */
const page = (root: string, version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="${root}/docs/favicon-32x32.png?v=${version}">
<link rel="stylesheet" href="${root}/docs/swagger-ui.css?v=${version}">
<link rel="stylesheet" href="${root}/docs/page.css?v=${version}">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The document itself is <a href="${root}/openapi.json">openapi.json</a>.</noscript>
<script src="${root}/docs/swagger-ui-bundle.js?v=${version}"></script>
<script type="module" src="${root}/docs/start.js?v=${version}"></script>
</body>
</html>
`;

const aYear = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const pathOf = (roots: Roots, face: Face): string => new URL(roots[face]).pathname.replace(/\/$/, '');

/** The path of the site itself. */
const baseOf = (roots: Roots): string => pathOf(roots, 'classic').replace(/\/wp-json$/, '');

const route = routeMaker<Use>();

export const referenceRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: 'docs',
    summary: 'The API reference, a page made from the OpenAPI description',
    access: 'public',
    hidden: true,
    handle: ({ use, request }) =>
      raw(page(pathOf(use.roots, request.face), use.version), 'text/html; charset=UTF-8', {
        'Content-Security-Policy': policy,
      }),
  }),
  route({
    method: 'GET',
    path: 'docs/(?P<file>[\\w.-]+)',
    summary: 'A file of the API reference',
    access: 'public',
    hidden: true,
    args: { file: t.string() },
    handle: async ({ args: { file }, use }) => {
      if (file === 'start.js') return raw(startFor(baseOf(use.roots)), 'text/javascript; charset=UTF-8', aYear);
      if (file === 'page.css') return raw(style, 'text/css; charset=UTF-8', aYear);
      const type = Object.hasOwn(files, file) ? files[file] : undefined;
      if (type === undefined)
        throw kernelErrors.noRoute().saying(`The file ${file} of the API reference does not exist.`);
      return raw(await use.readReferenceFile(file), type, aYear);
    },
  }),
];
