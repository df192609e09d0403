// A whole extension in a package. Of Gatehouse it imports types alone, which are gone when it runs: everything else comes with the
// toolkit. The module that the manifest names as its entry exports this as its default.
import type { Entry } from '#site/extension.ts';
import { createLines, type Lines, tidying } from './lines.ts';
import { pages } from './pages.ts';
import { routes } from './routes.ts';
import { tables } from './tables.ts';

const entry: Entry<Lines> = (tools) => ({
  name: 'guest-book',
  tables,
  capabilities: [tidying],
  nouns: ({ store, clock, identity: { doing } }) => createLines({ store, clock, doing, tools }),
  routes: { 'guest-book/v1': routes(tools) },
  pages: (lines, house) => pages(tools, lines, house),
  // [guest-book] in a text: what was said last.
  render: (lines) => ({
    shortcodes: {
      'guest-book': tools.live({
        rests: ['guest_book_lines'],
        find: () => lines.latest(),
        write: (_, latest) =>
          String(tools.html`<ul>${latest.map(({ name, words }) => tools.html`<li>${words} — ${name}</li>`)}</ul>`),
      }),
    },
  }),
});

export default entry;
