// Passkeys as they were recorded, replayed.
import { aGuardedSite } from '#test/security-suite.ts';
import { accepted } from './accepted-suite-webauthn.ts';
import { recordedOfSuite } from './recorded-suite.ts';
import { replayed } from './replaying.ts';

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
});
