// Pictures by prompt: within the limits of an account and of a week, from the provider that is set up.
import { sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { invalidParam } from '#kernel/errors.ts';
import type { Problem } from '#kernel/problem.ts';
import { escapeHtml } from '#lib/html.ts';
import type { Operator } from '#lib/operator.ts';
import { day, hour } from '#lib/spans.ts';
import { picturePathsOf, variantPathsOf } from '#site/content/media/media.ts';
import { outgoingErrors } from '#site/outgoing/errors.ts';
import { refusing } from '#site/outgoing/outgoing.ts';
import type { SiteServices } from '#site/services.ts';
import type { Store } from '#store/store.ts';
import { galleryErrors } from '../errors.ts';
import type { Values } from '../gallery-data.ts';
import { extensionOf } from '../images.ts';
import type { GalleryTables } from '../tables.ts';
import { aiErrors } from './errors.ts';
import { type AiPictures, type KeptPicture, maxPicture, pictureType } from './pictures.ts';
import { type PictureRequest, providerOf } from './providers.ts';
import { type AiGroup, readAiSettings } from './settings.ts';

interface AiDeps extends Pick<SiteServices, 'content' | 'files' | 'outgoing' | 'settings' | 'rateLimits' | 'clock'> {
  readonly store: Store<GalleryTables>;
  readonly group: AiGroup;
  readonly operator: Pick<Operator, 'galleryAiProvider' | 'galleryAiWeeklyLimit'>;
  readonly pictures: AiPictures;
}

const maxPrompt = 1_000;
const maxCount = 4;
const hourlyRequests = 20;
const imageTypes = ['none', 'photographic', 'background', 'handmade', 'digital-art', '3d'];
const ratios = ['256x256', '512x512', '1024x1024'];

export type Ai = ReturnType<typeof createAi>;

export function createAi(deps: AiDeps) {
  return {
    create: (sent: Values, caller: Caller) => create(deps, sent, caller),
    download: (sent: Values, caller: Caller) => download(deps, sent, caller),

    /** How many pictures were made, in all and in this week. */
    async counts(): Promise<{ readonly total: number; readonly week: number }> {
      const week = weekOf(deps.clock());
      const rows = await deps.store.db
        .selectFrom('gallery_ai_counts')
        .selectAll()
        .where('period', 'in', [total, week])
        .execute();
      const countOf = (period: string): number => rows.find((row) => row.period === period)?.images ?? 0;
      return { total: countOf(total), week: countOf(week) };
    },

    settings: () => readAiSettings(deps.settings, deps.group, deps.operator),
  };
}

// The request.

function promptOf(value: unknown): string {
  const tooLong = `\`prompt\` must have at most ${maxPrompt} characters.`;
  if (typeof value !== 'string') throw aiErrors.invalidPrompt('`prompt` is missing. Describe the picture.');
  if (value.length > 2 * maxPrompt) throw aiErrors.invalidPrompt(tooLong);
  const prompt = value
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (Array.from(prompt).length > maxPrompt) throw aiErrors.invalidPrompt(tooLong);
  if (!/[\p{L}\p{N}]/u.test(prompt))
    throw aiErrors.invalidPrompt('`prompt` must have at least one letter or digit. Describe the picture.');
  return prompt;
}

function oneOf(name: string, value: unknown, initial: string, choices: readonly string[]): string {
  const wanted = value === undefined || value === null || value === '' ? initial : value;
  const found = choices.find((one) => one === wanted);
  if (found !== undefined) return found;
  throw invalidParam(name, { code: 'rest_not_in_enum', message: `\`${name}\` must be one of: ${choices.join(', ')}.` });
}

function numberIn(name: string, value: unknown, least: number, most: number): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least && number <= most) return number;
  const message = `\`${name}\` must be a whole number from ${least} to ${most}.`;
  throw invalidParam(name, { code: 'rest_out_of_bounds', message });
}

const requestOf = ({ prompt, image_type, aspect_ratio, n, seed }: Values): PictureRequest => ({
  prompt: promptOf(prompt),
  imageType: oneOf('image_type', image_type, 'none', imageTypes),
  side: Number.parseInt(oneOf('aspect_ratio', aspect_ratio, '512x512', ratios), 10),
  count: n === undefined || n === null ? maxCount : numberIn('n', n, 1, maxCount),
  seed: seed === undefined || seed === null ? undefined : numberIn('seed', seed, 0, Number.MAX_SAFE_INTEGER),
});

async function create(deps: AiDeps, sent: Values, caller: Caller) {
  const request = requestOf(sent);
  const settings = await readAiSettings(deps.settings, deps.group, deps.operator);
  const provider = providerOf(settings, deps.outgoing);
  if (provider === undefined) throw aiErrors.notConfigured(settings.provider === 'http' ? 'url URL' : 'provider http');
  await takeHourly(deps, caller);
  const week = weekOf(deps.clock());
  await reserve(deps, week, request.count, settings.weekly_limit);
  let made = 0;
  try {
    const { images, message } = await provider.generate(request);
    const kept: KeptPicture[] = [];
    for (const bytes of images) kept.push(await deps.pictures.keep(bytes));
    made = kept.length;
    return {
      html: kept.map((one, at) => pickerHtml(one, at, request.prompt)).join(''),
      message: message || `${made} ${made === 1 ? 'picture was' : 'pictures were'} created.`,
      images: kept.map(({ url, expires_at }, index) => ({ url, index, expires_at })),
    };
  } finally {
    await settle(deps, week, request.count, made);
  }
}

function pickerHtml({ url }: KeptPicture, at: number, prompt: string): string {
  const [src, alt] = [escapeHtml(url), escapeHtml(prompt)];
  return (
    `<div class="gallery-ai-image"><label><input type="checkbox" name="images[]" value="${src}">` +
    `<img src="${src}" alt="${alt}"></label>` +
    `<button type="button" data-download="${src}">Download picture ${at + 1}</button></div>`
  );
}

// Limits.

const total = 'total';

/** By ISO 8601, in UTC. */
function weekOf(moment: Date): string {
  const { yearOfWeek, weekOfYear } = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO('UTC');
  return `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}`;
}

const tooMany = (message: string, seconds: number): Problem =>
  aiErrors.tooMany(message).with({}, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } });

async function takeHourly({ rateLimits, clock }: AiDeps, { id }: Caller): Promise<void> {
  const subject = `gallery-ai ${id}`;
  if (await rateLimits.take(subject, hourlyRequests, hour)) return;
  const until = (await rateLimits.used([subject])).get(subject)?.until.getTime() ?? clock().getTime() + hour;
  const message = `Your account has sent ${hourlyRequests} requests within an hour. Try again later.`;
  throw tooMany(message, (until - clock().getTime()) / 1_000);
}

/** Counts pictures before they are made, so that requests at the same moment cannot pass the limit together. */
async function reserve({ store, clock }: AiDeps, period: string, images: number, limit: number): Promise<void> {
  const mostBefore = limit === 0 ? Number.MAX_SAFE_INTEGER - images : limit - images;
  const sum = sql<number>`gallery_ai_counts.images + ${images}`;
  const taken =
    mostBefore < 0
      ? []
      : await store.write((tx) =>
          tx
            .insertInto('gallery_ai_counts')
            .values({ period, images })
            .onConflict((on) =>
              on.column('period').doUpdateSet({ images: sum }).where('gallery_ai_counts.images', '<=', mostBefore),
            )
            .returning('images')
            .execute(),
        );
  if (taken.length > 0) return;
  const now = clock();
  // The first day of 1970 was a Thursday.
  const daysSinceMonday = (Math.floor(now.getTime() / day) + 3) % 7;
  const monday = (Math.floor(now.getTime() / day) - daysSinceMonday + 7) * day;
  throw tooMany(
    `This site makes at most ${limit} pictures in a week. Try again on Monday.`,
    (monday - now.getTime()) / 1_000,
  );
}

/** Gives back what was not made. */
async function settle({ store }: AiDeps, period: string, reserved: number, made: number): Promise<void> {
  await store.write(async (tx) => {
    if (made !== reserved)
      await tx
        .updateTable('gallery_ai_counts')
        .set({ images: sql<number>`images - ${reserved - made}` })
        .where('period', '=', period)
        .execute();
    if (made > 0)
      await tx
        .insertInto('gallery_ai_counts')
        .values({ period: total, images: made })
        .onConflict((on) =>
          on.column('period').doUpdateSet({ images: sql<number>`gallery_ai_counts.images + ${made}` }),
        )
        .execute();
  });
}

// Downloads.

async function download(deps: AiDeps, { image_url }: Values, caller: Caller) {
  const url = typeof image_url === 'string' ? image_url.trim() : '';
  if (url === '') throw aiErrors.noImageUrl();
  const { bytes, name } =
    (await deps.pictures.at(url)) ?? (await ofLibrary(deps, url, caller)) ?? (await ofProvider(deps, url));
  const extension = extensionOf(bytes);
  if (extension === undefined) throw galleryErrors.fetchFailed();
  return {
    success: true,
    image: Buffer.from(bytes).toString('base64'),
    mime_type: pictureType(extension),
    filename: `${name.replace(/\.[^.]*$/, '')}.${extension}`,
  };
}

interface Found {
  readonly bytes: Uint8Array;
  readonly name: string;
}

async function ofLibrary({ content, files }: AiDeps, url: string, caller: Caller): Promise<Found | undefined> {
  const { media, rights } = content;
  const post = await media.at(url);
  if (post === undefined || !(await rights.mayRead(caller, post))) return undefined;
  const file = (await media.files([post.id])).get(post.id);
  // The backup of an optimized original is left out: it may say where a photo was taken.
  const paths = file === undefined ? [] : [...picturePathsOf(file), ...variantPathsOf(file)];
  const path = paths.find((one) => media.urlOf(one) === url);
  const entry = path === undefined ? undefined : await files.find(path);
  if (path === undefined || entry === undefined || entry.size > maxPicture) throw galleryErrors.fetchFailed();
  const opened = await files.open(path);
  if (opened === undefined) throw galleryErrors.fetchFailed();
  return { bytes: Buffer.concat(await opened.stream.toArray()), name: path.replace(/^.*\//, '') };
}

async function ofProvider({ outgoing, settings, group, operator }: AiDeps, url: string): Promise<Found> {
  const { hosts } = await readAiSettings(settings, group, operator);
  const address = URL.parse(url);
  if (address === null || !hosts.some((host) => host.toLowerCase() === address.hostname))
    throw outgoingErrors
      .unsafeUrl()
      .saying('`image_url` must be a picture of this site, or of a host that the settings of gallery-ai allow.');
  const purpose = { name: 'picture by prompt', types: ['image/', 'application/octet-stream'], most: maxPicture };
  const bytes = await outgoing
    .fetch(url, { ...purpose, withinHost: true })
    .then((answer) => answer.bytes())
    .catch(refusing(galleryErrors.fetchFailed.code));
  return { bytes, name: address.pathname.replace(/^.*\//, '') || 'picture' };
}
