// Passkeys as they were recorded, replayed.

import type { Credential } from '#site/identity/credential.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { sessionHeaders } from '#test/visitor.ts';
import { accepted } from './accepted-suite-webauthn.ts';
import { recordedOfSuite } from './recorded-suite.ts';
import { headersOf, replayed } from './replaying.ts';

replayed({
  topic: 'of the suite: passkeys',
  // At the end, the module had been turned off there: modules-effects.test.ts shows that its routes go with it.
  exchanges: recordedOfSuite('webauthn').slice(0, -1),
  accepted,
  site: async (engine) => {
    const [site] = await aGuardedSite(engine, { deployment: 'b', env: { GATEHOUSE_URL: 'http://localhost' } });
    for (const login of ['admin', 'user1']) await site.user({ login, roles: ['editor'] });
    return site;
  },
  // Passkeys are added with a browser alone.
  filling: async (site) => ({
    headers: async (exchange) => {
      const { as, line } = exchange.request;
      const role = as === 'admin' ? 'administrator' : (as ?? undefined);
      const isAdding = line.includes('register-credential');
      const { credential } = await site.caller(role);
      const inBrowser = () => sessionHeaders(site, (credential as Credential).user);
      const theirs = role === undefined ? {} : isAdding ? inBrowser() : site.credentials(role);
      return { ...headersOf(exchange), ...(await theirs) };
    },
  }),
});
