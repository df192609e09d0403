import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import type { Ask, Command } from '#cli/command.ts';
import { showing } from '#cli/progress.ts';
import { isLoopback } from '#lib/ip-address.ts';
import { printable } from '#lib/printable.ts';
import { behindOf, clockRemedy } from '#site/health/clock.ts';
import type { App } from '../boot/boot.ts';
import { type Undefended, undefendedNow } from '../boot/undefended.ts';
import { type Config, envOf } from '../config.ts';
import { version } from '../version.ts';
import { type Entrance, openEntrance, toldOf } from './entrance.ts';
import { forgetFirstPassword, refuseUnusable } from './first-user.ts';
import { refuseOtherKind } from './kinds.ts';
import { createLog, startingLog } from './log.ts';
import { absentOf, oddVariables } from './odd-variables.ts';
import { listenFailure, portToServe } from './ports.ts';
import { settledSecret } from './secret.ts';
import { createTrial } from './trial.ts';

/** Longer than requests (30 seconds), what follows from them (10) and extensions (15) may take to finish; past it something hangs. */
const PATIENCE = 60_000;
/** One Ctrl-C arrives twice where a parent (npm) passes it on as well; that is not a second wish. */
const SAME_WISH = 500;
/** Variables that are no settings are told of, and no more of them than anybody reads. */
const mostOdd = 5;

export const command: Command = {
  name: 'serve',
  about: `Serves the site: makes the data folder on the first start, brings the database up to date and listens. SIGTERM or
Ctrl-C stops it: running requests are finished (30 seconds, and what follows from them as long again), then the store is closed.
A second one stops at once.`,
  stays: true,
  run: async (ask) => {
    const asked = ask.config();
    for (const { fault, remedy } of oddVariables(ask.env).slice(0, mostOdd)) ask.note(printable(`${fault}. ${remedy}`));
    const port = await portToServe(asked);
    await refuseUnusable(asked, ask);
    await refuseOtherKind(asked, ask);
    const url = asked.port === 0 ? asked.url.replace(/:0$/, `:${port}`) : asked.url;
    const config = { ...asked, port, url, secret: await settledSecret(asked, ask) };
    const log = createLog(config.log);
    const starting = startingLog(log, ask.note);
    const wish = stopWish();
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'The program is in a state nobody foresaw and stops.');
      process.exit(1);
    });
    // A promise that a job or a listener let go of is not known from any other, and must not take the site down.
    process.on('unhandledRejection', (error) => log.error({ err: error }, 'Something failed that nobody waited for.'));
    const { boot } = await import('../boot/boot.ts');
    const app = await showing('Opening the store', boot(config, starting, { trial: createTrial(config) }));
    const entrance = await listening(app, config);
    wish.up();
    announce(config, await aboutOf(config, app), entrance, ask);
    starting.serving();
    flushCompileCache();
    log.info(`Stopping (${await wish.asked}): finishing what is running.`);
    return finish(app, log);
  },
};

/** The first user is there before anybody can ask for the site. */
async function listening(app: App, config: Config): Promise<Entrance> {
  try {
    const entrance = await openEntrance(config, app.services);
    await app.listen();
    return entrance;
  } catch (error) {
    await app.close();
    throw listenFailure(error, config);
  }
}

interface About {
  readonly title: string;
  /** What extensions say. */
  readonly more: readonly string[];
  readonly undefended: Undefended | undefined;
  readonly unnamedProxy: string | undefined;
  /** What is wrong with the clock. */
  readonly behind: string | undefined;
}

async function aboutOf(config: Config, { services }: App): Promise<About> {
  const { activeAt } = await import('../boot/open-site.ts');
  const active = activeAt(config);
  return {
    title: (await services.about()).title,
    more: (await Promise.all(active.map((one) => one.startLines?.(config, services) ?? []))).flat(),
    undefended: await undefendedNow(config, active, services.extensions),
    unnamedProxy: unnamedProxyIn(config, services.clients.believesHeaders),
    behind: await behindOf(services),
  };
}

function announce(
  config: Config,
  { title, more, undefended, unnamedProxy, behind }: About,
  entrance: Entrance,
  { out }: Ask,
): void {
  const { url, apiPrefix, apiFaces, data, database, deployment, host, port } = config;
  const faces = { neutral: [apiPrefix], classic: ['wp-json'], both: [apiPrefix, 'wp-json'] }[apiFaces];
  const absent = absentOf(deployment);
  const isShown = entrance.first?.generated !== undefined && process.stdout.isTTY;
  const lines = [
    `Gatehouse ${version()} serves ${printable(title)}`,
    ...toldOf(entrance, config, isShown),
    ...more,
    ...faces.map((face, index) => `  ${index === 0 ? 'API       ' : '          '}  ${url}/${face}/`),
    `  Listening   ${host.includes(':') ? `[${host}]` : host}:${port}`,
    `  Data        ${data}`,
    ...(database ? [`  Database    PostgreSQL at ${new URL(database).host || 'this machine'}`] : []),
    `  Deployment  ${deployment.name} (${deployment.path})`,
    ...(unnamedProxy ? [`  Warning     ${unnamedProxy}`] : []),
    ...(undefended ? [`  Undefended  ${undefended.what} (${undefended.by})`] : []),
    ...(behind ? [`  Clock       ${behind}. ${clockRemedy}`] : []),
    ...(absent.length > 0 ? [`  Not yet     ${absent.join(', ')}: switched on, but not in this version`] : []),
  ];
  out(lines.join('\n'));
  if (isShown) forgetFirstPassword(data);
}

interface StopWish {
  readonly asked: Promise<string>;
  up(): void;
}

/** Before the site is up a wish to stop ends the program; afterwards it is heard once, and a second one ends it at once. */
function stopWish(): StopWish {
  const { promise, resolve } = Promise.withResolvers<string>();
  let isUp = false;
  let first = 0;
  const heard = (signal: string): void => {
    if (!isUp) process.exit(1);
    if (first !== 0 && performance.now() - first > SAME_WISH) process.exit(1);
    if (first === 0) first = performance.now();
    resolve(signal);
  };
  process.on('SIGTERM', heard).on('SIGINT', heard);
  return {
    asked: promise,
    up() {
      isUp = true;
    },
  };
}

async function finish(app: App, log: Logger): Promise<number> {
  const late = setTimeout(() => {
    log.warn('Something did not finish in time and was cut off.');
    process.exit(1);
  }, PATIENCE);
  await app.close();
  clearTimeout(late);
  process.exit(0);
}

// A site that only a proxy reaches, and that trusts no proxy, takes every visitor for the proxy; the start says so.

/** Gatehouse itself does not speak HTTPS, and nobody else reaches a loopback address. */
function unnamedProxyIn({ url, host, trustProxy }: Config, believesHeaders: boolean): string | undefined {
  const { protocol, hostname } = new URL(url);
  const isProxied = !isLoopback(hostname) && (protocol === 'https:' || isLoopback(host));
  if (!isProxied || trustProxy.length > 0 || believesHeaders) return undefined;
  return `no proxy is trusted, so all visitors may share one IP address (set ${envOf('trustProxy')} to the IP address of your proxy)`;
}
