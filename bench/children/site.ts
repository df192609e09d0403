// A site that is asked over HTTP.
import { booted, type SiteAsked } from '../booted.ts';
import { given, offer } from '../child.ts';

const { app, credentials } = await booted(given<SiteAsked>());
const address = await app.listen();

offer(
  {
    port: () => Number(new URL(address).port),
    credentials: () => credentials,
    /** A new user who signs in with this password. */
    user: ({ login, password }: { login: string; password: string }) =>
      app.services.identity.users.add({ login, password, email: `${login}@example.org` }).then(({ id }) => id),
  },
  () => app.close(),
);
