// XML that the site tells programs: feeds and maps. It is written as HTML is, with everything else in it escaped.
import type { PageAnswer } from '#kernel/http/page.ts';
import type { Html } from '#lib/html.ts';
import { xmlText } from '#lib/xml.ts';

export interface Told {
  readonly body: Html;
  readonly type: 'application/rss+xml' | 'application/xml';
  /** Whether it was asked for by its own address. */
  readonly isAsked: boolean;
}

export const xml = ({ body, type, isAsked }: Told): PageAnswer => ({
  status: 200,
  type: `${type}; charset=UTF-8`,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${xmlText(String(body))}`,
  anybodys: isAsked,
  headers: {
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'Cache-Control': 'no-cache',
    'X-Robots-Tag': 'noindex',
  },
});
