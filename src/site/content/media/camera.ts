// What a camera, or the person behind it, wrote into a picture: shown, and believed in nothing.
import { withoutSteering } from '#lib/printable.ts';
import { iptcSays } from './iptc.ts';
import { tiffSays } from './tiff.ts';

interface ImageMeta {
  readonly aperture: string;
  readonly credit: string;
  readonly camera: string;
  readonly caption: string;
  readonly created_timestamp: string;
  readonly copyright: string;
  readonly focal_length: string;
  readonly iso: string;
  readonly shutter_speed: string;
  readonly title: string;
  readonly orientation: string;
  readonly keywords: readonly string[];
  readonly alt: string;
}

/** What a picture holds of such things, as its format holds it. */
export interface Written {
  /** As TIFF. */
  readonly exif: Buffer | undefined;
  readonly iptc: Buffer | undefined;
}

/** Where nothing can be read, nothing is said. */
export function imageMeta({ exif, iptc }: Written, orientation: number): ImageMeta {
  const said: Record<string, unknown> = { ...(exif && tiffSays(exif)), ...(iptc && iptcSays(iptc)) };
  return {
    aperture: number(said.FNumber),
    credit: words(said.Credit ?? said.Byline ?? said.Artist),
    camera: words(said.Model),
    caption: words(said.Caption ?? said.ImageDescription),
    created_timestamp: moment(said.DateTimeOriginal ?? said.CreateDate),
    copyright: words(said.CopyrightNotice ?? said.Copyright),
    focal_length: number(said.FocalLength),
    iso: number(said.ISO),
    shutter_speed: number(said.ExposureTime),
    title: words(said.ObjectName ?? said.Headline),
    orientation: String(orientation),
    keywords: [said.Keywords ?? []]
      .flat()
      .slice(0, 100)
      .map(words)
      .filter((word) => word !== ''),
    alt: '',
  };
}

const longest = 1_000;

const words = (value: unknown): string =>
  typeof value === 'string' ? withoutSteering(value.toWellFormed()).trim().slice(0, longest).toWellFormed() : '';

const number = (value: unknown): string =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? String(Number(value.toPrecision(6))) : '0';

/** A camera knows no time zone. */
function moment(value: unknown): string {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(String(value)) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(at) || at < 0 ? '0' : String(at / 1_000);
}
