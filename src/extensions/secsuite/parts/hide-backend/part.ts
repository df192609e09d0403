// A sign-in page at a secret URL.
import { siteTags } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { createHidden } from './hide-backend.ts';
import { hideBackend } from './settings.ts';

export const hideBackendPart = part({
  name: 'hide-backend',
  modules: [hideBackend],
  notifications: [
    {
      slug: 'hide-backend',
      module: 'hide-backend',
      recipient: 'user-list',
      label: 'New sign-in address',
      description: 'Says where the page to sign in at is to be found from now on.',
      subject: 'The sign-in page has moved',
      message:
        '<p>The page to sign in at {{ $site_title }} ({{ $site_url }}) has moved. Please sign in here from now on: <a href="{{ $login_url }}">{{ $login_url }}</a></p><p>Keep this address to yourself.</p>',
      tags: { login_url: 'The new address of the sign-in page.', ...siteTags },
      isThere: ({ settings }) => settings.of('hide-backend').enabled === true,
    },
  ],
  make: (services, { settings, center, defends }) => ({
    hidden: createHidden({ ...services, settings, url: services.site.url, isRunning: defends, send: center.send }),
  }),
  guards: ({ hidden }) => [hidden.guard],
  pages: ({ hidden }, house) => hidden.pages(house),
  end: ({ hidden }) => hidden.end(),
});
