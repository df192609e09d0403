import { type Command, given, json } from '#cli/command.ts';
import { aligned, number } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { ownersIn } from '#site/transfer/backup/archived.ts';
import { openArchive } from '#site/transfer/backup/file.ts';
import { type Inspected, inspect } from '#site/transfer/backup/parts.ts';
import { slugOf } from '#store/packaged.ts';
import { file, meter, origin, size } from './archive.ts';

export const command: Command = {
  name: 'verify',
  about: 'Reads a whole archive and shows what is in it. The exit code is 1 if the archive is damaged or cut off.',
  settings: [],
  words: [file],
  options: { json },
  run: async (ask) => {
    const path = ask.path(given(ask.words, file.name));
    const archive = await openArchive(path);
    try {
      const { at, line } = meter();
      const read = inspect(archive, { progress: (rows, bytes) => at('Reading', rows, bytes) });
      const inspected = await ask.progress.during(line, read);
      if (ask.options.json !== undefined) ask.out(printableJson(summary(inspected)));
      else for (const line of told(path, inspected)) ask.out(printable(line));
    } finally {
      await archive.close();
    }
    return 0;
  },
};

function summary({ manifest, end }: Inspected) {
  const { version, created_at, engine, migrations, tables, media } = manifest;
  const rows = Object.fromEntries(tables.map(({ name }, at) => [name, end.rows[at]]));
  const extensions = extensionsIn(manifest);
  return {
    version,
    created_at,
    engine,
    migrations,
    extensions,
    media,
    tables: rows,
    files: end.files,
    bytes: end.bytes,
  };
}

/** Installed ones whose tables are in it. */
const extensionsIn = (manifest: Inspected['manifest']): string[] =>
  ownersIn(manifest).flatMap((owner) => slugOf(owner) ?? []);

function told(path: string, { manifest, end }: Inspected): string[] {
  const { tables, media, engine } = manifest;
  const rows = tables.map(({ name }, at) => [name, number(end.rows[at])]);
  const files = media ? `${number(end.files)}, ${size(end.bytes)} in all` : 'none; the backup left them out';
  return [
    `${path} is complete: a backup ${origin(manifest)}, from ${engine}.`,
    '',
    ...aligned([['table', 'rows'], ...rows]),
    '',
    ...extensionsIn(manifest).map((slug) => `with tables of the extension ${slug}`),
    `files  ${files}`,
  ];
}
