// How long audio and video play, and the size of a video, as far as their first and last bytes tell.
import { type FileHandle, open } from 'node:fs/promises';
import type { FileKind } from './file-kinds.ts';

interface Playback {
  /** In seconds. */
  readonly length?: number;
  readonly width?: number;
  readonly height?: number;
  readonly dataformat: string;
}

const dataformats: Readonly<Record<string, string>> = { matroska: 'webm', mpeg: 'mpeg', avi: 'avi', ogg: 'ogg' };

export async function playbackDetails(path: string, kind: FileKind, size: number): Promise<Record<string, unknown>> {
  if (!/^(?:audio|video)\//.test(kind.mime)) return {};
  const file = await open(path);
  try {
    // Anybody may have made the file, so a header that cannot be read leaves the details out.
    const playback = await readPlayback(file, kind, size).catch(() => undefined);
    return detailsOf(playback ?? { dataformat: dataformats[kind.look] ?? kind.look }, kind, size);
  } finally {
    await file.close();
  }
}

function detailsOf({ length, width, height, dataformat }: Playback, { mime }: FileKind, size: number) {
  const isKnown = length !== undefined && Number.isFinite(length) && length > 0 && length < 10_000_000;
  return {
    mime_type: mime,
    dataformat,
    ...(isKnown && {
      length: Math.round(length),
      length_formatted: formatted(Math.round(length)),
      bitrate: Math.round((size * 8) / length),
    }),
    ...(width && height && { width, height }),
  };
}

function formatted(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

async function readPlayback(file: FileHandle, { look }: FileKind, size: number): Promise<Playback | undefined> {
  if (look === 'wav') return wav(await bytesAt(file, 0, 4_096), size);
  if (look === 'flac') return flac(await bytesAt(file, 0, 42));
  if (look === 'mp3') return mp3(file, size);
  return look === 'mp4' ? mp4(file, size) : undefined;
}

async function bytesAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  return buffer.subarray(0, bytesRead);
}

function wav(head: Buffer, size: number): Playback {
  const format = head.indexOf('fmt ');
  const perSecond = format < 0 ? 0 : head.readUInt32LE(format + 16);
  const data = head.indexOf('data');
  const bytes = data < 0 ? size : Math.min(head.readUInt32LE(data + 4), size);
  return { dataformat: 'wav', length: bytes / perSecond };
}

function flac(head: Buffer): Playback {
  const rate = head.readUIntBE(18, 3) >> 4;
  const samples = (head[21]! & 0x0f) * 2 ** 32 + head.readUInt32BE(22);
  return { dataformat: 'flac', length: samples / rate };
}

const rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const samplings = [44_100, 48_000, 32_000];

/** The first frame, behind what the maker wrote in front; its count of frames where it has one, else its rate for all. */
async function mp3(file: FileHandle, size: number): Promise<Playback> {
  const tag = await bytesAt(file, 0, 10);
  const isTagged = tag.toString('latin1', 0, 3) === 'ID3';
  const start = isTagged ? 10 + tag.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0) : 0;
  const frame = await bytesAt(file, start, 256);
  const isFirst = frame[0] === 0xff && (frame[1]! & 0xfe) === 0xfa;
  const rate = rates[frame[2]! >> 4];
  const sampling = samplings[(frame[2]! >> 2) & 3];
  if (!isFirst || !rate || sampling === undefined) return { dataformat: 'mp3' };
  const counted = ['Xing', 'Info'].map((name) => frame.indexOf(name)).find((at) => at > 0);
  if (counted !== undefined && (frame.readUInt32BE(counted + 4) & 1) === 1)
    return { dataformat: 'mp3', length: (frame.readUInt32BE(counted + 8) * 1_152) / sampling };
  return { dataformat: 'mp3', length: ((size - start) * 8) / (rate * 1_000) };
}

const mostBoxes = 1_000;
const mostIndex = 4 * 2 ** 20;

/** The box that describes the film may stand in front of it or behind. */
async function mp4(file: FileHandle, size: number): Promise<Playback> {
  let at = 0;
  for (let boxes = 0; at < size && boxes < mostBoxes; boxes++) {
    const head = await bytesAt(file, at, 16);
    const short = head.readUInt32BE(0);
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short || size - at;
    if (length < 8) break;
    if (head.toString('latin1', 4, 8) === 'moov') return movie(await bytesAt(file, at, Math.min(length, mostIndex)));
    at += length;
  }
  return { dataformat: 'quicktime' };
}

function movie(box: Buffer): Playback {
  const header = box.indexOf('mvhd') + 4;
  const isLong = box[header] === 1;
  const scale = box.readUInt32BE(header + (isLong ? 20 : 12));
  const duration = isLong ? Number(box.readBigUInt64BE(header + 24)) : box.readUInt32BE(header + 16);
  return { dataformat: 'quicktime', length: duration / scale, ...frameOf(box) };
}

/** Of the first track that can be seen. */
function frameOf(box: Buffer): Pick<Playback, 'width' | 'height'> {
  for (let at = box.indexOf('tkhd'); at > 0; at = box.indexOf('tkhd', at + 4)) {
    const end = at + (box[at + 4] === 1 ? 96 : 84);
    const [width, height] = [box.readUInt32BE(end - 4) >>> 16, box.readUInt32BE(end) >>> 16];
    if (width > 0 && height > 0) return { width, height };
  }
  return {};
}
