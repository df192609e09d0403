// The commands about media.
import { type Command, type Family, json } from '#cli/command.ts';
import { aligned, number } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { type PictureWithoutAlt, picturesWithoutAlt } from '#site/content/media/missing-alt.ts';

const missingAlt: Command = {
  name: 'media missing-alt',
  about: `Lists the pictures of the media library that have no alternative text, by id. Screen readers cannot describe these pictures.
A picture that is only decoration needs no alternative text.`,
  options: { json },
  run: (ask) =>
    ask.inSite(async ({ content: { posts, media } }) => {
      const found: PictureWithoutAlt[] = await Array.fromAsync(picturesWithoutAlt(posts, media));
      if (ask.options.json !== undefined) return ask.out(printableJson(found));
      if (found.length === 0) return ask.note('Every picture has an alternative text.');
      const rows = found.map(({ id, title, url, date }) => [String(id), date.slice(0, 10), title, url].map(printable));
      for (const line of aligned([['ID', 'UPLOADED', 'TITLE', 'URL'], ...rows])) ask.out(line);
      ask.note(
        found.length === 1
          ? '1 picture has no alternative text.'
          : `${number(found.length)} pictures have no alternative text.`,
      );
    }),
};

export const command: Family = {
  name: 'media',
  about: 'Checks the media library.',
  members: [{ name: 'missing-alt', summary: 'List pictures without an alternative text', command: missingAlt }],
};
