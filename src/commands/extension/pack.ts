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
  about: `Makes a package of a folder that holds an extension. Tests (*.test.ts), node_modules and whatever begins with a dot stay
behind, and so do keys, catalogues and archives. It is tried as a site tries it before it is switched on, in a process of its own. The
same folder gives the same bytes.`,
  settings: [],
  words: [{ name: 'FOLDER', meaning: 'The folder, with extension.json in it' }],
  options: {
    out: { value: 'file', meaning: 'Where the package goes (default: SLUG-VERSION.zip in this folder)' },
    untried: { meaning: 'Do not run it: for one that starts only beside others' },
    force: { meaning: 'Replace the file if it is there and holds something else' },
  },
  run: async (ask) => {
    const folder = ask.path(given(ask.words, 'FOLDER'));
    const { manifest, paths, bytes } = await pack(folder).catch((error) => refused(folder, error));
    await refuseUnfit(bytes, ask);
    const file = ask.path(ask.options.out ?? `${manifest.slug}-${manifest.version}.zip`);
    const there = readIfThere(file);
    if (there !== undefined && !there.equals(bytes) && ask.options.force === undefined)
      throw new Failed(`${file} is there already and holds something else; add --force to replace it.`);
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
    if (fault !== undefined) throw new Failed(`No site could switch it on. ${fault}`);
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
