// HTTPS for every request, an API for users only, and names to sign in with.

import { part } from '../../part.ts';
import { coreTweaks } from './core-tweaks.ts';
import { ssl } from './ssl.ts';
import { createTweaks } from './tweaks.ts';

export const tweaksPart = part({
  name: 'tweaks',
  modules: [ssl, coreTweaks],
  make: (services, { settings, defends }) => ({
    tweaks: createTweaks({ ...services, settings, url: services.site.url, isRunning: defends }),
  }),
  guards: ({ tweaks }) => tweaks.guards,
  checks: ({ tweaks }) => [tweaks.check],
});
