// What presets are, and how what clients send becomes one.
import { invalidParam } from '#kernel/errors.ts';
import type { Problem } from '#kernel/problem.ts';
import { withoutSteering } from '#lib/printable.ts';

export type Level = 0 | 1 | 2;
type Settings = Readonly<Record<string, boolean | number>>;

export interface Box {
  readonly width: number;
  readonly height: number;
}

export interface Preset {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly default?: boolean;
  readonly hub_id?: number;
  readonly config: {
    readonly configs: {
      readonly settings: Settings;
      readonly resize_sizes?: Box | boolean;
      readonly lazy_load?: Readonly<Record<string, unknown>>;
    };
    /** For people; made by the server. */
    readonly strings: Readonly<Record<string, readonly string[]>>;
  };
}

export interface LiveSettings {
  readonly settings: Settings;
  readonly resize_sizes: Box | boolean;
  /** The preset that was applied last. */
  readonly active_preset: number | null;
}

/** The settings that have an effect here. */
export interface ImageOptions {
  readonly auto: boolean;
  readonly level: Level;
  readonly strip_exif: boolean;
  /** The original is made to fit inside. */
  readonly resize: Box | undefined;
  readonly original: boolean;
  readonly backup: boolean;
  readonly png_to_jpg: boolean;
  readonly webp: boolean;
  readonly avif: boolean;
  readonly lazy_load: boolean;
}

export const maxPresets = 50;
const maxSettings = 200;
export const maxPresetBytes = 256 * 1024;
const maxSide = 16_383;
export const defaultBox: Box = { width: 2_560, height: 2_560 };

const integrations = ['gutenberg', 'js_builder', 'gform', 's3', 'nextgen'];

export const basicSettings: Settings = {
  auto: true,
  lossy: true,
  strip_exif: true,
  resize: false,
  detection: false,
  original: true,
  backup: true,
  png_to_jpg: true,
  cdn: false,
  auto_resize: false,
  webp: true,
  webp_mod: false,
  avif: false,
  lazy_load: false,
  background_images: true,
  rest_api_support: false,
  usage: false,
  accessible_colors: false,
  keep_data: true,
  ...Object.fromEntries(integrations.map((name) => [name, false])),
};

const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bulk: {
    auto: 'Automatic optimization',
    lossy: 'Lossy optimization',
    strip_exif: 'Metadata removal',
    resize: 'Image resizing',
    original: 'Original images',
    backup: 'Backup of original images',
  },
  lazy_load: { lazy_load: 'Lazy loading' },
  cdn: { cdn: 'CDN', auto_resize: 'Automatic resizing', background_images: 'Background images' },
  modern_formats: { webp: 'WebP', avif: 'AVIF', webp_mod: 'WebP by file name' },
  integrations: {
    gutenberg: 'Block editor',
    js_builder: 'Page builder',
    gform: 'Forms',
    s3: 'Object storage',
    nextgen: 'Gallery extension',
    rest_api_support: 'REST interface',
  },
  tools: { detection: 'Detection of wrong sizes', png_to_jpg: 'PNG to JPEG conversion' },
  settings: { usage: 'Usage statistics', accessible_colors: 'Accessible colors', keep_data: 'Data after removal' },
};

export const basicPreset = (): Preset => ({
  id: 1,
  name: 'Basic config',
  description: 'Smaller image files with no visible difference.',
  default: true,
  config: { configs: { settings: basicSettings }, strings: stringsOf(basicSettings) },
});

export const stringsOf = (settings: Settings): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(labels).map(([group, all]) => {
      const lines = Object.entries(all).map(([key, label]) => `${label} - ${settings[key] ? 'Active' : 'Inactive'}`);
      return [group, [lines.join('\n')]];
    }),
  );

export const levelOf = (lossy: unknown): Level => (lossy === 2 ? 2 : lossy === true || lossy === 1 ? 1 : 0);

export function optionsOf({ settings, resize_sizes }: Pick<LiveSettings, 'settings' | 'resize_sizes'>): ImageOptions {
  const isOn = (name: string): boolean => settings[name] === true;
  const box = typeof resize_sizes === 'object' ? resize_sizes : defaultBox;
  return {
    auto: isOn('auto'),
    level: levelOf(settings.lossy),
    strip_exif: isOn('strip_exif'),
    resize: isOn('resize') ? box : undefined,
    original: isOn('original'),
    backup: isOn('backup'),
    png_to_jpg: isOn('png_to_jpg'),
    webp: isOn('webp'),
    avif: isOn('avif'),
    lazy_load: isOn('lazy_load'),
  };
}

// What clients send.

export const wrong = (field: string, message: string): Problem =>
  invalidParam(field, { code: 'rest_invalid_param', message });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true';

export function integerOf(value: unknown, field: string, { least, most }: { least: number; most: number }): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw wrong(field, `${field} must be an integer between ${least} and ${most}.`);
}

/** Without tags and control characters, in one line. */
const plainText = (text: string): string =>
  withoutSteering(text.toWellFormed().replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();

function textOf(value: unknown, field: string, { least, most }: { least: number; most: number }): string {
  const text = typeof value === 'string' && value.length <= 10 * most + 100 ? plainText(value) : undefined;
  if (text !== undefined && text.length >= least && text.length <= most) return text;
  throw wrong(field, `${field} must be text of ${least} to ${most} characters.`);
}

export const nameOf = (value: unknown, field = 'name') => textOf(value, field, { least: 1, most: 100 });
export const descriptionOf = (value: unknown, field = 'description') =>
  textOf(value ?? '', field, { least: 0, most: 500 });

function settingsOf(value: unknown, field: string): Settings {
  if (!isObject(value)) throw wrong(field, `${field} must be an object.`);
  const entries = Object.entries(value);
  const isFine = entries.length <= maxSettings && entries.every(([name]) => /^[a-z][\w-]{0,63}$/i.test(name));
  if (!isFine) throw wrong(field, `${field} must have at most ${maxSettings} settings with plain names.`);
  const cast = (name: string, one: unknown) =>
    name === 'lossy' && [0, 1, 2, '2'].includes(one as number) ? Number(one) : isTrue(one);
  return Object.fromEntries(entries.map(([name, one]) => [name, cast(name, one)]));
}

function resizeSizesOf(value: unknown, field: string): Box | boolean {
  if (!isObject(value)) return isTrue(value);
  const side = (name: 'width' | 'height') => integerOf(value[name], `${field}[${name}]`, { least: 1, most: maxSide });
  return { width: side('width'), height: side('height') };
}

type Unnumbered = Omit<Preset, 'id'> & { readonly id?: number };

function presetOf(value: unknown, at: number): Unnumbered {
  const field = `[${at}]`;
  if (!isObject(value)) throw wrong(field, `${field} must be a preset.`);
  const { id, hub_id } = value;
  const outer = isObject(value.config) ? value.config : {};
  const { settings, resize_sizes, lazy_load } = isObject(outer.configs) ? outer.configs : {};
  const ids = { least: 1, most: 1_000_000_000 };
  const sanitized = settingsOf(settings, `${field}[config][configs][settings]`);
  return {
    ...(id !== undefined && id !== null && { id: integerOf(id, `${field}[id]`, ids) }),
    name: nameOf(value.name, `${field}[name]`),
    description: descriptionOf(value.description, `${field}[description]`),
    ...(isTrue(value.default) && { default: true }),
    ...(hub_id !== undefined && hub_id !== null && { hub_id: integerOf(hub_id, `${field}[hub_id]`, ids) }),
    config: {
      configs: {
        settings: sanitized,
        ...(resize_sizes !== undefined && {
          resize_sizes: resizeSizesOf(resize_sizes, `${field}[config][configs][resize_sizes]`),
        }),
        ...(isObject(lazy_load) && { lazy_load }),
      },
      strings: stringsOf(sanitized),
    },
  };
}

export function presetsOf(values: readonly unknown[]): Preset[] {
  if (values.length > maxPresets) throw wrong('presets', `Send at most ${maxPresets} presets.`);
  if (values.length === 0) return [basicPreset()];
  const presets = values.map(presetOf);
  const ids = presets.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const taken = new Set(ids);
  if (taken.size < ids.length) throw wrong('id', 'The ids of presets must differ.');
  let next = 1;
  const nextId = (): number => {
    while (taken.has(next)) next += 1;
    taken.add(next);
    return next;
  };
  const first = Math.max(
    0,
    presets.findIndex((preset) => preset.default),
  );
  return presets.map(({ default: _, id, ...preset }, at) => ({
    id: id ?? nextId(),
    ...preset,
    ...(at === first && { default: true }),
  }));
}
