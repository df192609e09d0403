// The kinds of files that the site accepts. The bytes tell the kind; the name only chooses among kinds that look alike.

import { keysOf } from '#lib/objects.ts';

export interface FileKind {
  /** The ending of its name, in small letters. */
  readonly extension: string;
  readonly mime: string;
  readonly look: Look | 'svg';
}

const document = 'application/vnd.openxmlformats-officedocument';
const open = 'application/vnd.oasis.opendocument';

/** Drawings are told by their name, and taken only after they were cleaned. */
export const drawing: FileKind = { extension: 'svg', mime: 'image/svg+xml', look: 'svg' };

/** By ending. The first of a kind is the one that a wrong ending is replaced by. */
const endings: readonly (readonly [extensions: string, mime: string, look: Look])[] = [
  ['jpg jpeg', 'image/jpeg', 'jpeg'],
  ['png', 'image/png', 'png'],
  ['gif', 'image/gif', 'gif'],
  ['webp', 'image/webp', 'webp'],
  ['avif', 'image/avif', 'avif'],
  ['heic heif', 'image/heic', 'heic'],
  ['bmp', 'image/bmp', 'bmp'],
  ['ico', 'image/x-icon', 'ico'],
  ['tiff tif', 'image/tiff', 'tiff'],
  ['mp3', 'audio/mpeg', 'mp3'],
  ['m4a', 'audio/mp4', 'mp4'],
  ['aac', 'audio/aac', 'aac'],
  ['ogg oga', 'audio/ogg', 'ogg'],
  ['wav', 'audio/wav', 'wav'],
  ['flac', 'audio/flac', 'flac'],
  ['mp4 m4v', 'video/mp4', 'mp4'],
  ['mov', 'video/quicktime', 'mp4'],
  ['3gp', 'video/3gpp', 'mp4'],
  ['webm', 'video/webm', 'matroska'],
  ['ogv', 'video/ogg', 'ogg'],
  ['avi', 'video/x-msvideo', 'avi'],
  ['mpg mpeg', 'video/mpeg', 'mpeg'],
  ['pdf', 'application/pdf', 'pdf'],
  ['doc', 'application/msword', 'ole'],
  ['xls', 'application/vnd.ms-excel', 'ole'],
  ['ppt', 'application/vnd.ms-powerpoint', 'ole'],
  ['docx', `${document}.wordprocessingml.document`, 'zip'],
  ['xlsx', `${document}.spreadsheetml.sheet`, 'zip'],
  ['pptx', `${document}.presentationml.presentation`, 'zip'],
  ['odt', `${open}.text`, 'zip'],
  ['ods', `${open}.spreadsheet`, 'zip'],
  ['odp', `${open}.presentation`, 'zip'],
  ['rtf', 'application/rtf', 'rtf'],
  ['txt', 'text/plain', 'text'],
  ['csv', 'text/csv', 'text'],
  ['vtt', 'text/vtt', 'text'],
  ['zip', 'application/zip', 'zip'],
];

const byExtension = new Map<string, FileKind>(
  endings.flatMap(([extensions, mime, look]) =>
    extensions.split(' ').map((extension) => [extension, { extension, mime, look }] as const),
  ),
);

const pictures = new Map<FileKind['look'], FileKind>(
  [...byExtension.values()]
    .filter(({ mime }) => mime.startsWith('image/'))
    .reverse()
    .map((kind) => [kind.look, kind]),
);

/** Of which smaller copies are made. */
const sizable = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);
export const isPicture = (mime: string): boolean => mime.startsWith('image/');
export const isSizable = (mime: string): boolean => sizable.has(mime);

/** What a browser shows and never runs; everything else is handed out to be saved. */
export const isShown = (mime: string): boolean =>
  (/^(?:image|audio|video)\//.test(mime) && mime !== drawing.mime) ||
  ['application/pdf', 'text/plain', 'text/csv', 'text/vtt'].includes(mime);

/** As the ending says, of a file that was judged when it came. */
export const mimeOf = (file: string): string => {
  const extension = extensionOf(file);
  return (extension === drawing.extension ? drawing : byExtension.get(extension))?.mime ?? 'application/octet-stream';
};

export const extensionOf = (file: string): string => /\.([^./]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';

/** Bytes at the beginning of a file that tell its kind. */
export const inspectedBytes = 4_096;

/** What the file is, by its first bytes and its name; nothing when it is none that is taken. A wrong ending of a picture is made right. */
export function kindOf(name: string, head: Buffer): FileKind | undefined {
  const extension = extensionOf(name);
  const named = byExtension.get(extension);
  const look = lookOf(head);
  if (look === undefined || (named === undefined && extension !== '')) return undefined;
  const picture = pictures.get(look);
  if (picture === undefined) return named?.look === look ? named : undefined;
  return named?.look === look ? named : picture;
}

type Test = (head: Buffer) => boolean;

const at =
  (offset: number, ...bytes: number[]): Test =>
  (head) =>
    head.length >= offset + bytes.length && bytes.every((byte, n) => head[offset + n] === byte);
const says =
  (offset: number, ...texts: string[]): Test =>
  (head) =>
    texts.some((text) => head.toString('latin1', offset, offset + text.length) === text);
const all =
  (...tests: Test[]): Test =>
  (head) =>
    tests.every((test) => test(head));
const any =
  (...tests: Test[]): Test =>
  (head) =>
    tests.some((test) => test(head));

/** The brand of a box file, and those it says it fits besides. A length that no such box has is other words. */
const brands = (head: Buffer): string[] => {
  const length = head.length >= 16 && says(4, 'ftyp')(head) ? head.readUInt32BE(0) : 0;
  if (length < 16 || length > longestBrands || length > head.length || length % 4 !== 0) return [];
  return head.toString('latin1', 8, length).match(/[\s\S]{4}/g) ?? [];
};
const longestBrands = 256;
const branded =
  (...names: string[]): Test =>
  (head) =>
    brands(head).some((brand) => names.includes(brand));

const isBitmap: Test = (head) => head.length > 18 && head.readUInt32LE(6) === 0 && head.readUInt32LE(14) <= 124;

/** No bytes that text has none of; a file that claims to be text is sent as nothing else. */
const isText: Test = (head) =>
  head.length > 0 && head.every((byte) => byte > 0x1f || (byte > 7 && byte < 14) || byte === 0x1b);

/** The first that fits counts. */
const signatures = {
  jpeg: at(0, 0xff, 0xd8, 0xff),
  png: at(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  gif: says(0, 'GIF87a', 'GIF89a'),
  webp: all(says(0, 'RIFF'), says(8, 'WEBP')),
  wav: all(says(0, 'RIFF'), says(8, 'WAVE')),
  avi: all(says(0, 'RIFF'), says(8, 'AVI ')),
  avif: branded('avif', 'avis'),
  heic: branded('heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'),
  mp4: any(
    (head) => brands(head).length > 0,
    all(says(4, 'moov', 'mdat', 'wide'), (head) => !isText(head)),
  ),
  ico: at(0, 0, 0, 1, 0),
  tiff: any(at(0, 0x49, 0x49, 0x2a, 0), at(0, 0x4d, 0x4d, 0, 0x2a)),
  bmp: all(says(0, 'BM'), isBitmap),
  mp3: any(says(0, 'ID3'), at(0, 0xff, 0xfb), at(0, 0xff, 0xfa), at(0, 0xff, 0xf3), at(0, 0xff, 0xf2)),
  aac: any(at(0, 0xff, 0xf1), at(0, 0xff, 0xf9)),
  ogg: says(0, 'OggS'),
  flac: says(0, 'fLaC'),
  matroska: at(0, 0x1a, 0x45, 0xdf, 0xa3),
  mpeg: any(at(0, 0, 0, 1, 0xba), at(0, 0, 0, 1, 0xb3)),
  pdf: (head) => head.subarray(0, 1_024).includes('%PDF-'),
  ole: at(0, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
  zip: any(says(0, 'PK\x03\x04'), says(0, 'PK\x05\x06')),
  rtf: says(0, '{\\rtf'),
  text: isText,
} satisfies Record<string, Test>;

type Look = keyof typeof signatures;

const lookOf = (head: Buffer): Look | undefined => keysOf(signatures).find((look) => signatures[look](head));
