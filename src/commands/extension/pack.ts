import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ask, type Command, Failed, given } from '#cli/command.ts';
import type { Io } from '#cli/io.ts';
import { printable } from '#lib/printable.ts';
import { pack } from '#site/packages/archive-packing.ts';
import { copiesFolder } from '#site/packages/keeping.ts';
import { type Unpacked, unpack } from '#site/packages/unpacking.ts';
import { readConfig } from '../../config.ts';
import { size } from '../archive.ts';
import { readIfThere, refused, writeNew, writeWhole } from './files.ts';

export const command: Command = {
  name: 'extension pack',
  about: `Makes a package from the folder of an extension. The package leaves out tests (*.test.ts), node_modules, names that begin with
a dot, keys, catalogues and archives. The command then starts the extension in a process of its own, as a site does before it turns it on.
The same folder always gives the same bytes.`,
  settings: [],
  words: [{ name: 'FOLDER', meaning: 'The folder that holds extension.json' }],
  options: {
    out: { value: 'file', meaning: 'Name of the package (default: SLUG-VERSION.zip in the current folder)' },
    untried: { meaning: 'Do not start it: for an extension that needs other extensions to start' },
    force: { meaning: 'Replace the file if it exists with other content' },
  },
  run: async (ask) => {
    const folder = ask.path(given(ask.words, 'FOLDER'));
    const { manifest, paths, bytes } = await pack(folder).catch((error) => refused(folder, error));
    await refuseUnfit(bytes, ask);
    const file = ask.path(ask.options.out ?? `${manifest.slug}-${manifest.version}.zip`);
    const there = readIfThere(file);
    if (there !== undefined && !there.equals(bytes) && ask.options.force === undefined)
      throw new Failed(`${file} exists already with other content; add --force to replace it.`);
    writeWhole(file, bytes);
    for (const path of paths) ask.note(printable(`  ${path}`));
    ask.out(printable(`${file} holds ${manifest.name} ${manifest.version}: ${size(bytes.length)}.`));
    return 0;
  },
};

/** What no site would take is not made: it is unpacked, and tried in a site as Gatehouse comes. */
async function refuseUnfit(bytes: Buffer, { options, io }: Ask): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-pack-'));
  try {
    const packed = join(data, 'package.zip');
    writeNew(packed, bytes);
    mkdirSync(copiesFolder(data));
    const files = join(copiesFolder(data), 'packed');
    const unpacked = await unpack(packed, files);
    if (options.untried !== undefined) return;
    const fault = await startsIn(data, join(files, unpacked.manifest.entry), unpacked, io);
    if (fault !== undefined) throw new Failed(`A site could not turn it on. ${fault}`);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Why it does not start, or nothing. */
async function startsIn(data: string, entry: string, unpacked: Unpacked, io: Io): Promise<string | undefined> {
  const { trial = (await import('../trial.ts')).createTrial } = io;
  const { slug, version } = unpacked.manifest;
  const alone = { wanted: async () => ({ switched: new Map(), installed: [] }), unpacked: async () => entry };
  const one = { slug, version, sha256: '', size: 0, active: false, beside: [], ...unpacked };
  return trial(readConfig({ flags: { data }, env: {}, cwd: io.cwd }))(one, alone);
}
