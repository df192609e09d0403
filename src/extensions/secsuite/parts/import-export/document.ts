// An export as a document and as a file: what must be in it, and how a file that somebody sends is read.
import { crc32, inflateRawSync } from 'node:zlib';
import { readJson } from '#kernel/args/json.ts';
import { compile } from '#kernel/args/validate.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { Problem } from '#kernel/problem.ts';
import type { Schema } from '#kernel/schema.ts';
import { BadZip, readZip, type ZipEntry } from '#lib/zip-reading.ts';
import { type TransferSource, type UserReference, userSchema } from '../../transfer.ts';
import { transferErrors } from './errors.ts';

/** Files of a higher build are refused. Established services count up to this one; it goes up when the form of a source changes. */
export const exportBuild = 4128;

export interface ExportDocument {
  readonly id: string;
  readonly metadata: {
    readonly title: string;
    readonly build: number;
    readonly version: string;
    readonly exported_at: string;
    readonly exported_by: UserReference | Record<string, never>;
    readonly home_url: string;
    readonly abspath: string;
  };
  readonly sources: Readonly<Record<string, unknown>>;
}

const version4 = '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
const text = { type: 'string', required: true } as const;

export const metadataSchema: Schema = {
  type: 'object',
  properties: {
    title: text,
    build: { type: 'integer', minimum: 0, required: true },
    version: text,
    exported_at: { ...text, format: 'date-time' },
    exported_by: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(userSchema.properties ?? {}).map(([name, { required: _, ...schema }]) => [name, schema]),
      ),
      required: true,
    },
    home_url: { ...text, format: 'uri' },
    abspath: text,
  },
};

const envelope = compile({
  type: 'object',
  properties: {
    id: { ...text, pattern: version4 },
    metadata: { ...metadataSchema, required: true },
    sources: { type: 'object', required: true },
  },
});

/** An empty map may be written as an empty list. */
const mapOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? {} : value);

/** Refuses what is no export of this version or an earlier one. Sources that nobody knows are left as they are. */
export function createValidation(sources: readonly TransferSource[]): (sent: unknown) => ExportDocument {
  const settlers = sources.map(({ slug, schema }) => ({ slug, settler: compile(schema) }));
  return (sent) => {
    const document = withMaps(sent);
    const wrong = envelope.check(document, 'export');
    if (wrong) throw refusedFor(wrong);
    const { metadata, sources: payloads, ...rest } = document as ExportDocument;
    if (metadata.build > exportBuild) throw transferErrors.newerBuild(metadata.build);
    const settled: Record<string, unknown> = { ...payloads };
    for (const { slug, settler } of settlers) {
      if (!Object.hasOwn(payloads, slug)) continue;
      const payload = Array.isArray(settler.coerce([])) ? payloads[slug] : mapOf(payloads[slug]);
      const failure = settler.check(payload, `export[sources][${slug}]`);
      if (failure) throw refusedFor(failure);
      settled[slug] = settler.coerce(payload);
    }
    return { ...rest, metadata, sources: settled };
  };
}

function withMaps(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const { metadata, sources, ...rest } = sent as Record<string, unknown>;
  const isMap = typeof metadata === 'object' && metadata !== null && 'exported_by' in metadata;
  return {
    ...rest,
    ...(metadata !== undefined && {
      metadata: isMap ? { ...metadata, exported_by: mapOf(metadata.exported_by) } : metadata,
    }),
    ...(sources !== undefined && { sources: mapOf(sources) }),
  };
}

const refusedFor = ({ code, message, data }: { code: string; message: string; data: unknown }): Problem =>
  kernelErrors.invalidParam('Invalid parameter(s): export').with({
    params: { export: message },
    details: { export: { code, message, data: data ?? null } },
  });

/** In bytes. */
export const mostSent = 10 * 1024 * 1024;
const mostUnpacked = 50 * 1024 * 1024;
/** Each costs time, whatever its size. */
const mostValues = 2_000_000;

const notJson = (why: string): Problem =>
  transferErrors.invalidJson(`The file is not an export: ${why}. Export it again, and send the whole file.`);

/** What stands in a file: JSON, or a zip file that holds one JSON file. */
export async function readExportFile(bytes: Buffer, name: string): Promise<unknown> {
  if (bytes.length === 0) throw transferErrors.fileEmpty();
  if (bytes.length > mostSent) throw transferErrors.tooLarge();
  const isZip = name.toLowerCase().endsWith('.zip') || bytes.subarray(0, 2).toString('latin1') === 'PK';
  const json = isZip ? await unpacked(bytes) : bytes;
  const document = parsed(json);
  if (!document || (typeof document === 'object' && Object.keys(document).length === 0)) throw notJson('it is empty');
  return document;
}

function parsed(json: Buffer): unknown {
  try {
    return readJson(json, mostValues);
  } catch (error) {
    if (error instanceof Problem && error.code === kernelErrors.bodyTooLarge.code) throw transferErrors.tooLarge();
    throw error instanceof Problem ? notJson('it is not JSON, is nested too deep, or is cut off') : error;
  }
}

const limits = { files: 1_000, bytes: Number.MAX_SAFE_INTEGER, ratio: Number.MAX_SAFE_INTEGER };

async function unpacked(bytes: Buffer): Promise<Buffer> {
  const [entry, ...others] = (await entriesOf(bytes)).filter(({ path }) => path.toLowerCase().endsWith('.json'));
  if (entry === undefined) throw transferErrors.missingFiles();
  if (others.length > 0) throw transferErrors.multipleFiles();
  if (entry.size > mostUnpacked) throw transferErrors.tooLarge();
  const packed = bytes.subarray(entry.start, entry.start + entry.packed);
  const content = inflated(packed, entry);
  if (content.length !== entry.size || crc32(content) !== entry.sum) throw notJson('the zip file is damaged');
  return content;
}

async function entriesOf(bytes: Buffer): Promise<ZipEntry[]> {
  try {
    const read = async (at: number, length: number) => bytes.subarray(at, at + length);
    return await readZip({ size: bytes.length, read }, limits);
  } catch (error) {
    throw error instanceof BadZip ? notJson(`the zip file ${error.message}`) : error;
  }
}

/** The list of the archive may lie about how large a file becomes. */
function inflated(packed: Buffer, { isDeflated, size }: ZipEntry): Buffer {
  if (!isDeflated) return packed;
  try {
    return inflateRawSync(packed, { maxOutputLength: size + 1 });
  } catch {
    throw notJson('the zip file is damaged');
  }
}
