// Whether a proxy passes requests on that nobody believes.
import { type OwnCheck, ok, warning } from '#site/health/check.ts';
import type { Client } from '../../client/client.ts';

export const strayHeaderCheck: OwnCheck<{ readonly client: Pick<Client, 'stray'> }> = {
  name: 'stray-proxy-header',
  what: 'The address of visitors',
  about: 'Behind a proxy that is not named, all visitors seem to have one address, and are locked out together.',
  badge: 'Security',
  look({ client }) {
    const stray = client.stray.last();
    if (stray === undefined) return ok('is told by nobody whom the site does not believe');
    return warning(
      `is told in the header ${stray.header} by ${stray.peer}, whom the site does not believe`,
      'If that is your proxy, name it: GATEHOUSE_TRUST_PROXY.',
    );
  },
};
