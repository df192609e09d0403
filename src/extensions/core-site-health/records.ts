// Site health as API clients see it: who may look, and the records of what was found.
import type { Caller } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import type { Request } from '#kernel/request.ts';
import { html } from '#lib/html.ts';
import { statusOf } from '#site/health/check.ts';
import type { Examined, Health } from '#site/health/health.ts';
import type { Measuring, Sizes } from '#site/health/sizes.ts';

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

/** What the handlers use. */
export interface SiteHealth {
  readonly health: Health;
  readonly sizes: Measuring;
}

export const mayLook = (caller: Caller): boolean => caller.can('install_plugins') || caller.can('manage_options');

export async function looked({ health }: SiteHealth, name: string, { headers, address }: Request) {
  const found = await health.look(name, { headers, address });
  if (found === undefined) throw new Problem(404, 'rest_test_not_found', 'There is no such test.');
  return recordOf(found);
}
