// Which files an archive holds, without reading them. Only for an archive that was read whole before.
import type { FileHandle } from 'node:fs/promises';
import { type FileEntry, headerLength, kinds, longestFirstLine } from './format.ts';
import { fileOf } from './heads.ts';
import { cutOff } from './reader.ts';

export async function* fileHeads(archive: FileHandle): AsyncGenerator<FileEntry, undefined> {
  let at = (await piece(archive, 0, longestFirstLine)).indexOf('\n') + 1;
  let file: FileEntry | undefined;
  for (;;) {
    const header = await piece(archive, at, headerLength);
    const sign = header.toString('latin1', 0, 1);
    const length = header.readUInt32BE(1);
    if (sign === kinds.file) file = fileOf({ kind: 'file', payload: await piece(archive, at + headerLength, length) });
    if (sign === kinds.whole && file !== undefined) yield file;
    if (sign === kinds.end) return undefined;
    at += headerLength + length;
  }
}

async function piece(archive: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await archive.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw cutOff();
  return buffer;
}
