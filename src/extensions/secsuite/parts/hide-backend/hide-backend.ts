// The hidden sign-in page: it is found at an address of its own, and whoever looks where it used to be finds nothing.

import type { Page } from '#kernel/http/page.ts';
import { defineError, type Problem } from '#kernel/problem.ts';
import type { IncomingRequest } from '#kernel/request.ts';
import type { Refusal } from '#kernel/request-guard.ts';
import type { Services } from '#site/extension.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { HouseNow } from '#site/pages/door.ts';
import { hiddenDoor } from '#site/pages/personal.ts';
import type { Send } from '../../notifications/sending.ts';
import type { ModuleSettings, Saving, Settings } from '../../settings/types.ts';

export const hideBackendErrors = {
  loginHidden: defineError(403, 'secsuite_login_hidden', 'This page is not available.'),
  slugTaken: defineError(
    400,
    'secsuite.hide-backend.slug-taken',
    '`slug` is not valid for the sign-in page, or the site needs it. Choose another one.',
  ),
};

type HideBackendSettings = ModuleSettings['hide-backend'];

interface Needs extends Pick<Services, 'entrance' | 'servesAnew'> {
  /** The address of the site. */
  readonly url: string;
  readonly settings: Settings;
  isRunning(module: string): boolean;
  send: Send;
}

export interface Hidden {
  readonly guard: Guard;
  pages(houseNow: HouseNow): Page[];
  end(): void;
}

const id = 'hide-backend';
/** Whoever sends a notification writes down why it could not be sent. */
const written = (): void => {};

const former = /^\/(?:login|wp-login\.php|wp-admin(?:\/.*)?)$/;

export function createHidden({ url, settings, entrance, servesAnew, isRunning, send }: Needs): Hidden {
  const now = () => settings.of(id);
  const isHidden = (): boolean =>
    settings.isReady && isRunning(id) && now().enabled && pathOf(now().slug) !== undefined;
  const where = () => (isHidden() ? pathOf(now().slug) : undefined);
  const base = new URL(url).pathname.replace(/\/$/, '');
  settings.check(id, demandAddress);
  const tell = async (path: string) => void (await send(id, { tags: { login_url: `${url}${path}` } }));
  // Once it is hidden no more, there is no such notification either: it goes out just before.
  settings.ahead(id, async ({ before, after }) => {
    if (before.enabled && !after.enabled) await tell('/wp-login.php').catch(written);
    return {};
  });
  settings.effect(id, async (before, after) => {
    const [was, is] = [before, after].map((one) => (one.enabled ? pathOf(one.slug) : undefined));
    if (is !== undefined && was !== is) await tell(is).catch(written);
  });
  const endings = [
    entrance.hide(where),
    settings.onChange((module) => {
      if (module === id) servesAnew();
    }),
  ];
  return {
    guard: {
      whenFailing: 'open',
      onCaller(incoming, { user, asked }) {
        const isSought = asked === undefined && user === undefined && former.test(pathIn(incoming.url));
        return isSought && isHidden() && !isOpen(incoming, now()) ? refusal(now(), base) : undefined;
      },
    },
    pages(houseNow) {
      const path = where();
      return path === undefined ? [] : [hiddenDoor(houseNow, path)];
    },
    end() {
      for (const ending of endings) ending();
    },
  };
}

/** As the pages are found by it: an address may be spelt with escapes. */
const pathIn = (url: string): string => unescaped(url.replace(/[?#].*$/s, '')).replace(/(.)\/+$/, '$1');

/** Only what stands before a question mark is an address. */
const pathOf = (slug: string): string | undefined => {
  const bare = slug.split(/[?#]/, 1)[0]!;
  return bare === '' ? undefined : `/${bare}`;
};

/** What opens posts that a password closes, and the one action that stays. Exactly so: nothing else is behind it then. */
function isOpen({ url, method }: IncomingRequest, { post_logout_slug: action }: HideBackendSettings): boolean {
  const query = /^\/(?:login|wp-login\.php)\/?\?action=([\w%-]+)$/.exec(url)?.[1];
  return query !== undefined && ((query === 'postpass' && method === 'POST') || (action !== '' && query === action));
}

function refusal({ theme_compat, theme_compat_slug }: HideBackendSettings, base: string): Refusal {
  return { problem: hideBackendErrors.loginHidden(), ...(theme_compat && { to: `${base}/${theme_compat_slug}` }) };
}

/** Addresses that the site needs for itself. */
const taken =
  /^(?:login|account|authorize-application|import|export|unlock|sign-in-link|trusted-device|wp-.*|index|feed|sitemap|uploads|healthz|readyz|metrics|api|\d*)$/i;

/** As a request finds it: nothing that is no one part of a path, however it is written. */
function nameIn(path: string): string | undefined {
  const name = unescaped(path.slice(1));
  return /^[^%/\\\p{C}\s]+$/u.test(name) ? name : undefined;
}

/** What cannot be read that way stays as it is, and is the address of nothing. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function demandAddress({ after: { enabled, slug } }: Saving<HideBackendSettings>): readonly Problem[] {
  const name = nameIn(pathOf(slug) ?? '/');
  if (!enabled || (name !== undefined && !taken.test(name))) return [];
  return [hideBackendErrors.slugTaken()];
}
