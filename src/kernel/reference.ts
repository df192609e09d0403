// A page that shows the OpenAPI document of the running site, to read and to try. Its files are those of the installed package, and
// it asks no other host: the content security policy holds that.
import { raw } from './answer.ts';
import type { Face, Roots } from './faces.ts';
import { Problem } from './problem.ts';
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

/** A session of a browser counts only with its token, which signed-in visitors are given at this address. */
const startFor = (
  base: string,
): string => `const answer = await fetch('${base}/wp-admin/admin-ajax.php?action=rest-nonce').catch(() => undefined);
const token = answer?.ok ? await answer.text() : undefined;
const own = (url) => new URL(url, location.href).origin === location.origin;
window.SwaggerUIBundle({
  url: new URL('../openapi.json', import.meta.url).href,
  dom_id: '#reference',
  docExpansion: 'list',
  filter: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (token && own(request.url)) request.headers['X-WP-Nonce'] = token;
    return request;
  },
});
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
</head>
<body>
<main id="reference"></main>
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
    summary: 'The OpenAPI description as a page, to read and to try',
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
    summary: 'A file of that page',
    access: 'public',
    hidden: true,
    args: { file: t.string() },
    handle: async ({ args: { file }, use }) => {
      if (file === 'start.js') return raw(startFor(baseOf(use.roots)), 'text/javascript; charset=UTF-8', aYear);
      const type = Object.hasOwn(files, file) ? files[file] : undefined;
      if (type === undefined) throw new Problem(404, 'rest_no_route', `The reference has no file ${file}.`);
      return raw(await use.readReferenceFile(file), type, aYear);
    },
  }),
];
