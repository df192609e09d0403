// What is seen of a site, as clients know it.
import { html } from '#lib/html.ts';
import { statusOf } from '#site/health/check.ts';
import type { Examined } from '#site/health/health.ts';
import type { Sizes } from '#site/health/sizes.ts';

const paragraph = (text: string): string => `${html`<p>${text}</p>`}`;

export function recordOf({ check, seen }: Examined) {
  return {
    label: `${check.what}: ${seen.finding}`,
    status: statusOf(seen),
    badge: { label: check.badge, color: 'blue' },
    description: paragraph(check.about),
    actions: seen.remedy === undefined ? '' : paragraph(seen.remedy),
    test: check.name.replaceAll('-', '_'),
  };
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

export function sizeText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(step === 0 ? 0 : 2)} ${units[step]}`;
}

const sizeOf = (raw: number | undefined) =>
  raw === undefined
    ? { size: 'The directory does not exist.', debug: 'directory not found' }
    : { size: sizeText(raw), debug: `${sizeText(raw)} (${raw} bytes)`, raw };

export function sizesRecord({ program, themes, extensions, uploads, fonts, database }: Sizes) {
  const total = program + themes + extensions + uploads + (fonts ?? 0) + database;
  return {
    raw: 0,
    wordpress_size: sizeOf(program),
    themes_size: sizeOf(themes),
    plugins_size: sizeOf(extensions),
    uploads_size: sizeOf(uploads),
    fonts_size: sizeOf(fonts),
    database_size: sizeOf(database),
    total_size: sizeOf(total),
  };
}
