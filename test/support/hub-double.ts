// A hub for a test, and sites that tell it how they are.
import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Group } from '#site/platform/settings/group.ts';
import type { TestEngine } from './databases.ts';
import { aRemote, type Remote } from './remote.ts';
import { aSite, type SiteOptions, type TestSite } from './site.ts';
import { soon } from './soon.ts';

/** What the hub was sent. */
export interface Told {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The JSON that was sent. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  readonly body: any;
}

export interface HubDouble extends Pick<Remote, 'host' | 'url' | 'close'> {
  /** Without a slash at its end, as sites have it. */
  readonly base: string;
  readonly told: readonly Told[];
  /** How it answers from now on. */
  answer: RequestListener;
}

export const hubKey = 'a-key-that-only-this-test-knows';

export const answering =
  (status: number, body: unknown, type = 'application/json'): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));

export const pleased = answering(200, { membership: 'full', hub_site_id: 7 });

export async function aHub(engine: TestEngine): Promise<HubDouble> {
  const told: Told[] = [];
  const hub = { answer: pleased };
  const remote = await aRemote(async (request, response) => {
    const text = (await buffer(request)).toString();
    const { method = '', url = '', headers } = request;
    told.push({ method, path: url, headers: headers as Told['headers'], text, body: JSON.parse(text) });
    hub.answer(request, response);
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= remote.close();
    return closing;
  };
  engine.atEnd(close);
  const { host, url } = remote;
  return Object.assign(hub, { host, url, base: `${url}/api/hub/v1`, told, close });
}

/** A site whose operator laid down where the hub is, and by what it knows the site. */
export const fixedSite = (engine: TestEngine, hub: Pick<HubDouble, 'base' | 'host'>, options: SiteOptions = {}) =>
  aSite(engine, {
    ...options,
    env: {
      GATEHOUSE_FETCH_ALLOW_HOSTS: hub.host,
      GATEHOUSE_HUB_URL: hub.base,
      GATEHOUSE_HUB_API_KEY: hubKey,
      ...options.env,
    },
  });

/** A site whose owner set both, and which has told the hub by itself since. */
export async function joinedSite(engine: TestEngine, hub: HubDouble, options: SiteOptions = {}): Promise<TestSite> {
  const site = await aSite(engine, { ...options, env: { GATEHOUSE_FETCH_ALLOW_HOSTS: hub.host } });
  await join(site, { url: hub.base, key: hubKey });
  return site;
}

interface SetSettings {
  readonly url?: string | null;
  readonly key?: string | null;
}

/** As its owner does at the command line. */
export async function setHub({ app }: TestSite, said: SetSettings): Promise<void> {
  const { settings } = app.services;
  await settings.change(hubGroupOf(settings.groups), { ...said }, 0);
}

export const hubGroupOf = (groups: readonly Group[]): Group => groups.find(({ name }) => name === 'hub')!;

/** As though asking the hub took so long that another has the turn by now. */
export const overtaken = ({ app }: TestSite) =>
  app.services.store.write((tx) =>
    tx.updateTable('leases').set({ token: 'of another' }).where('name', '=', 'hub-connector').execute(),
  );

/** What it keeps of the hub. */
export const stateOf = ({ app }: TestSite) =>
  app.services.store.db.selectFrom('hub_connector_state').selectAll().execute();

/** As its owner does, once the site has done what follows. */
export async function join(site: TestSite, said: SetSettings): Promise<void> {
  await setHub(site, said);
  await idle(site);
}

/** Once it has done what follows from what happened, and nothing that comes back is late. */
export async function idle({ app }: TestSite): Promise<void> {
  const { events, jobs, store, clock } = app.services;
  const isLate = async (): Promise<boolean> => {
    await events.settled();
    await jobs.settled();
    const next = store.db.selectFrom('schedules').select('next_at').orderBy('next_at').limit(1);
    const { next_at: at } = (await next.executeTakeFirst()) ?? {};
    return at !== undefined && Date.parse(String(at)) <= clock().getTime();
  };
  await soon(isLate, false);
}
