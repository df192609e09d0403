// Providers of pictures by prompt: a service elsewhere, or patterns that are drawn here for demonstrations and tests.
import { createHash } from 'node:crypto';
import { Problem } from '#kernel/problem.ts';
import { sharp } from '#site/content/media/libvips.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import { extensionOf } from '../images.ts';
import { aiErrors } from './errors.ts';
import { maxPicture } from './pictures.ts';
import type { AiSettings } from './settings.ts';

export interface PictureRequest {
  readonly prompt: string;
  readonly imageType: string;
  /** Pixels of each side. */
  readonly side: number;
  readonly count: number;
  readonly seed: number | undefined;
}

export interface Pictures {
  /** Each is a JPEG, PNG, GIF, WebP or AVIF file by its first bytes. */
  readonly images: readonly Uint8Array[];
  readonly message: string;
}

export interface PictureProvider {
  generate(request: PictureRequest): Promise<Pictures>;
}

const maxAnswer = 64 * 2 ** 20;
const maxMessage = 500;
const patience = 120_000;
const maxWait = 86_400;

type Values = Readonly<Record<string, unknown>>;

/** Nothing, if none is set up. */
export function providerOf(settings: AiSettings, outgoing: Outgoing): PictureProvider | undefined {
  if (settings.provider === 'local') return localProvider;
  if (settings.provider !== 'http' || settings.url === '') return undefined;
  return httpProvider(settings, outgoing);
}

const localProvider: PictureProvider = {
  async generate({ prompt, imageType, side, count, seed }) {
    const images: Uint8Array[] = [];
    for (let at = 0; at < count; at++)
      images.push(await drawPattern(`${prompt}\n${imageType}\n${seed ?? ''}\n${at}`, side));
    return { images, message: 'These pictures are patterns that this server drew. No other service was used.' };
  },
};

/** Pixels of a side, before libvips enlarges the pattern on its own threads. */
const patternSide = 128;

/** Crossing waves. Their directions, lengths and the two colors between them come from the text. */
function drawPattern(text: string, side: number): Promise<Uint8Array> {
  const hash = createHash('sha256').update(text).digest();
  const wave = (at: number): number => ((hash[at]! % 23) + 3) / patternSide;
  const [a, b, c, d] = [wave(6), wave(7), wave(8), wave(9)];
  const pixels = new Uint8Array(patternSide * patternSide * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const [x, y] = [(at / 3) % patternSide, Math.floor(at / 3 / patternSide)];
    const share = (Math.sin(x * a + y * b) + Math.sin(y * c - x * d) + 2) / 4;
    for (let color = 0; color < 3; color++)
      pixels[at + color] = hash[color]! + (hash[color + 3]! - hash[color]!) * share;
  }
  const small = sharp(pixels, { raw: { width: patternSide, height: patternSide, channels: 3 } });
  return small.resize(side, side, { kernel: 'cubic' }).png().toBuffer();
}

const styles: Readonly<Record<string, string>> = {
  photographic: 'a photograph',
  background: 'a background picture',
  handmade: 'a handmade picture',
  'digital-art': 'digital art',
  '3d': 'a 3D rendering',
};

/** Services that know models refuse members that they do not know, so the style goes into the prompt. */
function bodyOf({ prompt, imageType, side, count, seed }: PictureRequest, model: string): Values {
  const size = `${side}x${side}`;
  if (model === '') return { prompt, image_type: imageType, size, n: count, ...(seed !== undefined && { seed }) };
  const style = styles[imageType];
  return { model, prompt: style === undefined ? prompt : `${prompt}\n\nStyle: ${style}`, size, n: count };
}

const httpProvider = ({ url, key, model }: AiSettings, outgoing: Outgoing): PictureProvider => ({
  async generate(request) {
    const answer = await ask(url, key, bodyOf(request, model), outgoing);
    const found = listIn(answer).slice(0, request.count);
    const all = await Promise.all(found.map((one) => pictureFrom(one, outgoing)));
    const images = all.filter((bytes) => bytes !== undefined);
    if (images.length === 0) throw aiErrors.providerFailed('The answer of the provider has no pictures.');
    const message = typeof answer.message === 'string' ? answer.message.toWellFormed().slice(0, maxMessage) : '';
    return { images, message };
  },
});

async function ask(url: string, key: string, body: Values, outgoing: Outgoing): Promise<Values> {
  try {
    const answer = await outgoing.fetch(url, {
      name: 'pictures by prompt',
      types: ['application/json'],
      most: maxAnswer,
      within: patience,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key !== '' && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    });
    const read: unknown = JSON.parse(await answer.text());
    if (typeof read === 'object' && read !== null) return read as Values;
    throw aiErrors.providerFailed('The answer of the provider has no pictures.');
  } catch (error) {
    throw refusalOf(error);
  }
}

/** What the provider says of an error is not passed on: it may hold the key. */
function refusalOf(error: unknown): unknown {
  if (error instanceof SyntaxError)
    return aiErrors.providerFailed('The answer of the provider is not JSON.').because(error);
  if (error instanceof Problem && error.code === 'unsafe_url')
    return aiErrors
      .providerFailed('The URL of the provider is not on the public web, so the site does not use it.')
      .because(error);
  if (!(error instanceof Upstream)) return error;
  const { fault, status } = error;
  if (fault === 'late') return aiErrors.providerLate().because(error);
  if (fault === 'status' && (status === 400 || status === 422)) return aiErrors.promptRefused().because(error);
  if (fault === 'status' && status === 429) return tooMany(error);
  if (fault === 'status' && (status === 401 || status === 403))
    return aiErrors.providerFailed(
      'The provider refused the key of this site. Ask your site operator to set another key.',
    );
  return aiErrors.providerFailed(`The provider could not be used: ${error.message}`).because(error);
}

function tooMany(error: Upstream): Problem {
  const said = /^\d{1,9}$/.test(error.retryAfter ?? '') ? Number(error.retryAfter) : 60;
  const seconds = Math.min(Math.max(said, 1), maxWait);
  return aiErrors
    .tooMany(`The provider refuses more requests now. Try again in ${seconds} seconds.`)
    .with({}, { headers: { 'Retry-After': String(seconds) }, cause: error });
}

const listIn = ({ images, data }: Values): readonly unknown[] =>
  [images, data].find((one): one is unknown[] => Array.isArray(one)) ?? [];

/** Nothing if it cannot be had, or is not a picture. */
async function pictureFrom(one: unknown, outgoing: Outgoing): Promise<Uint8Array | undefined> {
  const { url, b64_json } = (typeof one === 'object' && one !== null ? one : { url: one }) as Values;
  const bytes = typeof b64_json === 'string' ? Buffer.from(b64_json, 'base64') : await fetched(url, outgoing);
  const isPicture = bytes !== undefined && bytes.length <= maxPicture && extensionOf(bytes) !== undefined;
  return isPicture ? bytes : undefined;
}

async function fetched(url: unknown, outgoing: Outgoing): Promise<Uint8Array | undefined> {
  if (typeof url !== 'string') return undefined;
  const data = /^data:[^,]{0,200};base64,/.exec(url);
  if (data !== null) return Buffer.from(url.slice(data[0].length), 'base64');
  try {
    const purpose = { name: 'picture by prompt', types: ['image/', 'application/octet-stream'], most: maxPicture };
    return await (await outgoing.fetch(url, purpose)).bytes();
  } catch (error) {
    if (error instanceof Upstream || (error instanceof Problem && error.code === 'unsafe_url')) return undefined;
    throw error;
  }
}
