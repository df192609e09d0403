// What a bucket does with a request that it trusts. Strict where some store or other is strict.
import { createHash, randomUUID } from 'node:crypto';

export interface Kept {
  readonly bytes: Buffer;
  readonly type: string;
  readonly tag: string;
  readonly modified: Date;
}

export interface Asked {
  readonly method: string;
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
}

export interface Bucket {
  readonly files: Map<string, Kept>;
  /** Uploads that were begun and neither finished nor given up. */
  readonly uploads: ReadonlyMap<string, unknown>;
  answer(asked: Asked): Reply;
}

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

export const failed = (status: number, code: string): Reply => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>As asked.</Message></Error>`,
});

const xml = (body: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
});

interface Upload {
  readonly key: string;
  readonly type: string;
  readonly parts: Map<number, Buffer>;
}

const longestKey = 1024;

/** `page`: how many it lists at once at most. */
export function createBucket(name: string, page: number, now: () => Date): Bucket {
  const files = new Map<string, Kept>();
  const uploads = new Map<string, Upload>();
  const keep = (key: string, bytes: Buffer, type: string, tag = md5(bytes)): Kept => {
    const kept = { bytes, type, tag: `"${tag}"`, modified: now() };
    files.set(key, kept);
    return kept;
  };
  const answer = (asked: Asked): Reply => {
    const { method, key, query, headers, body } = asked;
    const type = String(headers['content-type'] ?? '');
    const upload = query.get('uploadId');
    if (Buffer.byteLength(key) > longestKey) return failed(400, 'KeyTooLongError');
    if (key === '') return listed(files, query, page);
    if (upload !== undefined) return partOf(upload, asked);
    if (method === 'POST' && query.has('uploads')) return begin(key, type);
    if (method === 'PUT' && headers['x-amz-copy-source'] !== undefined) return copy(asked);
    if (method === 'PUT') return { status: 200, headers: { etag: keep(key, body, type).tag } };
    if (method === 'DELETE') {
      files.delete(key);
      return { status: 204 };
    }
    return read(files.get(key), asked);
  };
  const begin = (key: string, type: string): Reply => {
    const id = randomUUID();
    uploads.set(id, { key, type, parts: new Map() });
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  };
  const partOf = (id: string, { method, query, body }: Asked): Reply => {
    const upload = uploads.get(id);
    if (upload === undefined) return failed(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      uploads.delete(id);
      return { status: 204 };
    }
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: `"${md5(body)}"` } };
    }
    const reply = assembled(upload, body.toString(), keep);
    if (reply.status === 200) uploads.delete(id);
    return reply;
  };
  const copy = ({ key, headers }: Asked): Reply => {
    const source = decodeURIComponent(String(headers['x-amz-copy-source']));
    const from = source.startsWith(`/${name}/`) ? files.get(source.slice(name.length + 2)) : undefined;
    if (from === undefined) return failed(404, 'NoSuchKey');
    return xml(`<CopyObjectResult><ETag>${keep(key, from.bytes, from.type).tag}</ETag></CopyObjectResult>`);
  };
  return { files, uploads, answer };
}

const leastPart = 5 * 1024 ** 2;

function assembled(upload: Upload, list: string, keep: (...given: [string, Buffer, string, string]) => Kept): Reply {
  const named = [...list.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag><\/Part>/g)];
  const parts = named.map(([, number]) => upload.parts.get(Number(number)));
  const digests = parts.map((part) => md5(part ?? Buffer.alloc(0)));
  const fits = named.every(([, number, tag], n) => Number(number) === n + 1 && tag?.includes(digests[n] ?? '-'));
  if (parts.length === 0 || parts.includes(undefined) || !fits) return failed(400, 'InvalidPart');
  const lengths = parts.slice(0, -1).map((part) => part?.length ?? 0);
  if (lengths.some((length) => length < leastPart || length !== lengths[0])) return failed(400, 'EntityTooSmall');
  const tag = `${md5(Buffer.from(digests.join(''), 'hex'))}-${parts.length}`;
  keep(upload.key, Buffer.concat(parts as Buffer[]), upload.type, tag);
  return xml(`<CompleteMultipartUploadResult><ETag>"${tag}"</ETag></CompleteMultipartUploadResult>`);
}

function read(kept: Kept | undefined, { method, headers }: Asked): Reply {
  if (kept === undefined) return failed(404, 'NoSuchKey');
  if (headers['if-match'] !== undefined && headers['if-match'] !== kept.tag) return failed(412, 'PreconditionFailed');
  const { bytes } = kept;
  const about = { 'content-type': kept.type, etag: kept.tag, 'last-modified': kept.modified.toUTCString() };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(String(headers.range)) ?? [];
  if (first === undefined || method === 'HEAD') return { status: 200, headers: about, body: bytes };
  const end = Math.min(last ? Number(last) : Number.POSITIVE_INFINITY, bytes.length - 1);
  if (Number(first) >= bytes.length) return failed(416, 'InvalidRange');
  const range = { 'content-range': `bytes ${first}-${end}/${bytes.length}` };
  return { status: 206, headers: { ...about, ...range }, body: bytes.subarray(Number(first), end + 1) };
}

/** As Amazon writes names: a space is a plus. */
const listedName = (key: string): string =>
  encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/').replaceAll("'", '%27');

function listed(files: ReadonlyMap<string, Kept>, query: ReadonlyMap<string, string>, page: number): Reply {
  const most = Math.min(Number(query.get('max-keys') ?? page), page);
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url');
  const keys = [...files.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && Buffer.compare(Buffer.from(key), after) > 0)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const shown = keys.slice(0, most);
  const more = keys.length > shown.length;
  const contents = shown.map((key) => {
    const { bytes, modified, tag } = files.get(key)!;
    const fields = `<LastModified>${modified.toISOString()}</LastModified><ETag>${tag}</ETag><Size>${bytes.length}</Size>`;
    return `<Contents><Key>${listedName(key)}</Key>${fields}<Owner><ID>1</ID></Owner></Contents>`;
  });
  const token = Buffer.from(shown.at(-1) ?? '').toString('base64url');
  const next = more ? `<NextContinuationToken>${token}</NextContinuationToken>` : '';
  return xml(
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${more}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
  );
}
