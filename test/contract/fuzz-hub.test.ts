import { aSite } from '#test/site.ts';
import { extensions } from '../../src/extensions/all.ts';
import { createSites } from '../../src/extensions/hub/sites.ts';
import { hostileArguments } from './fuzzing.ts';

hostileArguments(
  'a hub',
  async (engine) => {
    const hub = await aSite(engine, {
      extensions,
      deploys: ({ namespaces, extensions }) => ({
        namespaces: [...namespaces, 'hub/v1'],
        extensions: { ...extensions, hub: true },
      }),
    });
    // One that knows no site says so, whatever it is told.
    await createSites(hub.app.services).add('Hillside');
    return hub;
  },
  (pattern) => pattern.startsWith('/hub/'),
);
