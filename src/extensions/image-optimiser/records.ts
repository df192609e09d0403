// What is recorded of optimized images, and the sums over all of them.
import { sql } from 'kysely';
import { filesOf, type MediaFile, type MediaLibrary, picturePathsOf } from '#site/content/media/media.ts';
import { postLock } from '#site/content/posts/rows.ts';
import type { Writing } from '#site/content/tables.ts';
import { attachment } from '#site/content/types.ts';
import type { Services } from '#site/extension.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { ImageTable, ImageTables } from './tables.ts';

export interface SavedBytes {
  readonly size_before: number;
  readonly size_after: number;
}

/** What became of one file. */
export interface FileRecord {
  readonly before: number;
  readonly after: number;
  readonly level: number;
  /** Newer types in which it was tried, whether or not the result was kept. */
  readonly tried: readonly string[];
}

export interface ImageDetails {
  /** By the name of the file. */
  readonly files: Readonly<Record<string, FileRecord>>;
  readonly resize: SavedBytes | null;
  readonly conversion: SavedBytes | null;
  readonly error?: string;
}

export interface ImageRecord extends ImageDetails {
  readonly status: ImageTable['status'];
  readonly level: number;
}

/** Of which the optimizer makes smaller files, or counts as skipped. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'];

/** Uploads are in the library once; a copy of a deleted record is gone. */
export const isImage = sql<boolean>`posts.type = ${attachment.name} and posts.mime_type in (${sql.join(imageTypes)})`;

export const percentOf = ({ size_before, size_after }: SavedBytes): number =>
  size_before === 0 ? 0 : Math.round(((size_before - size_after) / size_before) * 10_000) / 100;

const units = ['B', 'KB', 'MB', 'GB', 'TB'];
export function humanBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1_024)), units.length - 1);
  return `${(bytes / 1_024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

const savings = (sums: SavedBytes) => ({
  ...sums,
  bytes: sums.size_before - sums.size_after,
  percent: percentOf(sums),
});

export const sumOf = (files: readonly FileRecord[]): SavedBytes => ({
  size_before: files.reduce((sum, { before }) => sum + before, 0),
  size_after: files.reduce((sum, { after }) => sum + after, 0),
});

const variantBytesOf = ({ variants = {} }: Pick<MediaFile, 'variants'>) =>
  Object.values(variants).reduce((sum, { webp = 0, avif = 0 }) => ({ webp: sum.webp + webp, avif: sum.avif + avif }), {
    webp: 0,
    avif: 0,
  });

export function rowOf(post_id: number, record: ImageRecord, file: MediaFile, now: Date): ImageTable {
  const { status, level, files, resize, conversion, error } = record;
  const { webp, avif } = variantBytesOf(file);
  const bytesOf = (saved: SavedBytes | null) => saved && saved.size_before - saved.size_after;
  return {
    post_id,
    status,
    level,
    files: Object.keys(files).length,
    ...sumOf(Object.values(files)),
    resize_bytes: bytesOf(resize),
    conversion_bytes: bytesOf(conversion),
    variant_bytes: webp + avif,
    optimized_at: instant(now),
    details: JSON.stringify({
      files,
      resize,
      conversion,
      ...(error !== undefined && { error }),
    } satisfies ImageDetails),
  };
}

/** As clients see it. */
export function answerOf(row: ImageTable, file: MediaFile | undefined) {
  const { files, resize, conversion, error } = JSON.parse(row.details) as ImageDetails;
  const total = savings({ size_before: row.size_before, size_after: row.size_after });
  const sizes = Object.entries(file?.sizes ?? {}).flatMap(([label, { file: name }]) => {
    const one = Object.hasOwn(files, name) ? files[name] : undefined;
    return one === undefined ? [] : [[label, savings({ size_before: one.before, size_after: one.after })] as const];
  });
  const part = (saved: SavedBytes | null) => saved && { ...saved, bytes: saved.size_before - saved.size_after };
  return {
    status: row.status,
    level: row.level,
    ...total,
    human: humanBytes(total.bytes),
    count: row.files,
    resize: part(resize),
    conversion: part(conversion),
    sizes: Object.fromEntries(sizes),
    variants: file === undefined ? { webp: 0, avif: 0 } : variantBytesOf(file),
    backup: file?.backup !== undefined,
    optimized_at: `${row.optimized_at.slice(0, 19)}+00:00`,
    ...(error !== undefined && { error }),
  };
}

export const nameOf = (path: string): string => path.replace(/^.*\//, '');

/** The files that are as they were left. Others were made again since. */
const unchangedFiles = (file: MediaFile, { files }: ImageRecord): ImageRecord['files'] =>
  Object.fromEntries(
    picturePathsOf(file).flatMap((path) => {
      const [name, bytes] = [nameOf(path), bytesIn(file, path)];
      const record = files[name];
      return record === undefined || (bytes !== undefined && bytes !== record.after) ? [] : [[name, record]];
    }),
  );

/** As the record says. An original that is not shown is not in it. */
export function bytesIn(file: MediaFile, path: string): number | undefined {
  if (path === file.file) return file.size;
  const copy = Object.values(file.sizes).find((size) => size.file === nameOf(path));
  return copy?.filesize;
}

export type Records = ReturnType<typeof createRecords>;

export function createRecords(
  { store: shared }: Pick<Services, 'store'>,
  media: Pick<MediaLibrary, 'files' | 'locks'>,
) {
  const store: Store<ImageTables> = shared;

  const rowsOf = async (ids: readonly number[]): Promise<Map<number, ImageTable>> => {
    if (ids.length === 0) return new Map();
    const rows = await store.db.selectFrom('imgopt_images').selectAll().where('post_id', 'in', ids).execute();
    return new Map(rows.map((row) => [row.post_id, row]));
  };

  return {
    rowsOf,

    async of(id: number): Promise<ImageRecord | undefined> {
      const row = (await rowsOf([id])).get(id);
      return row && { status: row.status, level: row.level, ...(JSON.parse(row.details) as ImageDetails) };
    },

    async answer(id: number) {
      const [rows, files] = await Promise.all([rowsOf([id]), media.files([id])]);
      const row = rows.get(id);
      return row && answerOf(row, files.get(id));
    },

    shown: createShownField(rowsOf, media),

    /** Files that were made again since do not count any more. Returns whether the image was optimized before. */
    async forgetChanged(id: number): Promise<boolean> {
      return store.write(async (tx, during) => {
        await during.lock(postLock(id));
        const row = await tx.selectFrom('imgopt_images').selectAll().where('post_id', '=', id).executeTakeFirst();
        const file = (await filesOf(tx as unknown as Writing, [id])).get(id);
        if (row?.status !== 'optimized' || file === undefined) return false;
        const { status, level, optimized_at } = row;
        const details = JSON.parse(row.details) as ImageDetails;
        const record = { status, level, ...details };
        const next = rowOf(id, { ...record, files: unchangedFiles(file, record) }, file, new Date(optimized_at));
        await saveRow(tx, next);
        return true;
      });
    },

    async save(row: ImageTable): Promise<void> {
      await store.write(async (tx) => saveRow(tx, row));
    },

    statistics: () => statistics(store),

    /** What was saved since this moment. */
    async savedSince(from: string) {
      const sums = await store.db
        .selectFrom('imgopt_images')
        .select((of) => [
          of.fn.countAll<number>().as('images'),
          of.fn.sum<number>('size_before').as('size_before'),
          of.fn.sum<number>('size_after').as('size_after'),
        ])
        .where('optimized_at', '>=', from)
        .where('status', '=', 'optimized')
        .executeTakeFirstOrThrow();
      const total = savings({ size_before: Number(sums.size_before ?? 0), size_after: Number(sums.size_after ?? 0) });
      return { optimized: Number(sums.images), ...total, human: humanBytes(total.bytes) };
    },
  };
}

/** The field of media records. */
const createShownField =
  (
    rowsOf: (ids: readonly number[]) => Promise<ReadonlyMap<number, ImageTable>>,
    media: Pick<MediaLibrary, 'files' | 'locks'>,
  ) =>
  async (ids: readonly number[]): Promise<Map<number, unknown>> => {
    const [rows, held] = await Promise.all([rowsOf(ids), media.locks.held(ids, lockPrefix)]);
    const done = ids.filter((id) => rows.has(id) && !held.has(id));
    const files: ReadonlyMap<number, MediaFile> = done.length === 0 ? new Map() : await media.files(done);
    return new Map(
      ids.map((id) => {
        const row = rows.get(id);
        if (held.has(id)) return [id, 'Optimization in progress'];
        return [id, row === undefined ? 'Not processed' : answerOf(row, files.get(id))];
      }),
    );
  };

/** Tokens of locks while an image is optimized begin so. */
export const lockPrefix = 'optimize ';

export async function saveRow(tx: Parameters<Parameters<Store<ImageTables>['write']>[0]>[0], row: ImageTable) {
  const { post_id: _, ...rest } = row;
  const insert = tx.insertInto('imgopt_images').values(row);
  await insert.onConflict((on) => on.column('post_id').doUpdateSet(rest)).execute();
}

async function statistics(store: Store<ImageTables>) {
  const { rows } = await sql<Record<string, unknown>>`select count(*) as total_images,
        sum(case when image.status = 'optimized' then 1 else 0 end) as optimized,
        sum(case when image.status = 'skipped' then 1 else 0 end) as skipped,
        sum(case when image.status = 'failed' then 1 else 0 end) as failed,
        sum(image.files) as files, sum(image.size_before) as size_before, sum(image.size_after) as size_after,
        count(image.resize_bytes) as resize_count, sum(image.resize_bytes) as resize_bytes,
        count(image.conversion_bytes) as conversion_count, sum(image.conversion_bytes) as conversion_bytes,
        sum(image.variant_bytes) as variant_bytes, max(image.optimized_at) as last_run
        from posts left join imgopt_images as image on image.post_id = posts.id where ${isImage}`.execute(store.db);
  return statisticsOf(rows[0]!);
}

function statisticsOf(row: Readonly<Record<string, unknown>>) {
  const number = (name: string): number => Number(row[name] ?? 0);
  const counts = { total_images: number('total_images'), optimized: number('optimized') };
  const [skipped, failed] = [number('skipped'), number('failed')];
  const total = savings({ size_before: number('size_before'), size_after: number('size_after') });
  const last = row.last_run as string | null;
  return {
    ...counts,
    remaining: counts.total_images - counts.optimized - skipped - failed,
    skipped,
    failed,
    files: number('files'),
    ...total,
    human: humanBytes(total.bytes),
    resize_count: number('resize_count'),
    resize_bytes: number('resize_bytes'),
    conversion_count: number('conversion_count'),
    conversion_bytes: number('conversion_bytes'),
    variant_bytes: number('variant_bytes'),
    last_run: last && `${last.slice(0, 19)}+00:00`,
  };
}
