// Which updates are installed automatically, which are held back and why, and when.
import { day, hour } from '#lib/spans.ts';
import { wallTime, type Zone } from '#lib/wall-time.ts';
import type { ModuleSettings } from '../../settings/types.ts';
import type { Software } from '../../software/inventory.ts';
import type { UpdateDetails } from './update-details.ts';

export type UpdateSettings = Pick<
  ModuleSettings['version-management'],
  | 'plugin_automatic_updates'
  | 'packages'
  | 'update_if_vulnerable'
  | 'update_window_start'
  | 'update_window_hours'
  | 'first_seen'
>;

// As the schemas of these settings say it.
type Rules = Readonly<Record<string, { readonly type?: 'enabled' | 'delay' | 'disabled'; readonly delay?: number }>>;
/** In seconds since 1970. */
export type Sightings = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface PlanContext {
  readonly settings: UpdateSettings;
  readonly details: UpdateDetails;
  /** Slugs of extensions whose new version fixes a known vulnerability. */
  readonly fixes: ReadonlySet<string>;
  /** Whether the operator allows installing extensions. */
  readonly isAllowed: boolean;
  readonly now: number;
}

/** `heldBack`: a sentence that says why it is not installed. */
export type Decision = { readonly heldBack: string } | { readonly because: 'setting' | 'vulnerability' };

/** Of an extension that has a newer version. */
export function decide({ id, file, update }: Software, context: PlanContext): Decision {
  const { settings, details, fixes, isAllowed, now } = context;
  if (!isAllowed) return { heldBack: 'The operator of this site does not allow installing extensions.' };
  const failure = details.failures[file];
  if (failure !== undefined && failure.version === update)
    return { heldBack: `Version ${failure.version} was tried on ${dateOf(failure.at)}. ${failure.why}` };
  if (settings.update_if_vulnerable && fixes.has(file)) return { because: 'vulnerability' };
  if (settings.plugin_automatic_updates === 'none')
    return { heldBack: 'Automatic updates of extensions are turned off.' };
  if (settings.plugin_automatic_updates === 'all') return { because: 'setting' };
  const { type, delay = 0 } = (settings.packages as Rules)[id] ?? {};
  if (type === undefined) return { heldBack: 'This extension is not chosen for automatic updates.' };
  if (type === 'disabled') return { heldBack: 'Automatic updates of this extension are turned off.' };
  if (type === 'enabled') return { because: 'setting' };
  const from = firstSeen(settings, file, update ?? '', now) + delay * day;
  if (now > from) return { because: 'setting' };
  return { heldBack: `It is installed automatically after ${dateOf(from)}, ${delay} days after it was first seen.` };
}

/** In milliseconds. A time in the future counts as now: the clock was set back since. */
function firstSeen({ first_seen }: UpdateSettings, slug: string, version: string, now: number): number {
  const seen = (first_seen.plugin as Sightings | undefined)?.[slug]?.[version];
  return seen === undefined ? now : Math.min(seen * 1_000, now);
}

const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** When the window that is open began, in milliseconds; nothing while it is closed. */
export function openWindow(settings: UpdateSettings, zone: Zone, now: number): number | undefined {
  const time = wallTime(zone, new Date(now)).slice(11);
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const sinceStart = (hours - settings.update_window_start + 24) % 24;
  if (sinceStart >= settings.update_window_hours) return undefined;
  return now - sinceStart * hour - minutes * 60_000 - seconds * 1_000 - (now % 1_000);
}

/** `from 02:00 to 05:00` */
export function windowText({ update_window_start: start, update_window_hours: hours }: UpdateSettings): string {
  const text = (at: number): string => `${String(at % 24).padStart(2, '0')}:00`;
  return hours >= 24 ? 'at any time of the day' : `from ${text(start)} to ${text(start + hours)}`;
}

/** Whether anything is updated automatically. */
export const isAutomatic = ({ plugin_automatic_updates, update_if_vulnerable }: UpdateSettings): boolean =>
  plugin_automatic_updates !== 'none' || update_if_vulnerable;
