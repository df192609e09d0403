import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import type { Ask, Command } from '#cli/command.ts';
import { isLoopback, namedProxies } from '#lib/ip-address.ts';
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
/** Variables that are no settings are told of, and no more of them than anybody reads. */
const mostOdd = 5;

export const command: Command = {
  name: 'serve',
  about: `Serves the site: creates the data folder on the first start, migrates the database and listens for requests. SIGTERM or
Ctrl-C stops it: requests that are running have 30 seconds to finish, their follow-up work 30 seconds more, then the database is closed.
A second SIGTERM or Ctrl-C stops it at once.`,
  stays: true,
  run: async (ask) => {
    const asked = ask.config();
    for (const { fault, remedy } of oddVariables(ask.env).slice(0, mostOdd)) ask.note(printable(`${fault}. ${remedy}`));
    const port = await portToServe(asked);
    await refuseUnusable(asked, ask);
    await refuseOtherKind(asked, ask);
    const url = asked.port === 0 ? asked.url.replace(/:0$/, `:${port}`) : asked.url;
    const config = { ...asked, port, url, secret: await settledSecret(asked, ask) };
    const log = createLog(config.log, ask.io.stderr);
    ask.io.process?.onFault((error, kind) => {
      if (kind === 'uncaught') log.fatal({ err: error }, 'Uncaught exception: the process stops.');
      // A promise that a job or a listener let go of is not known from any other, and must not take the site down.
      else log.error({ err: error }, 'Unhandled promise rejection');
    });
    const stopped = stopOf(ask.io.signal);
    const served = await Promise.race([stopped.then(() => undefined), start(config, log, ask)]);
    // Asked to stop before the site is up: the process ends at once.
    if (served === undefined) return 1;
    log.info(`Stopping (${await stopped}): requests that are running have 30 seconds to finish.`);
    return finish(served, log);
  },
};

async function start(config: Config, log: Logger, ask: Ask): Promise<App> {
  const { trial = createTrial } = ask.io;
  const starting = startingLog(log, ask.note);
  const { boot } = await import('../boot/boot.ts');
  const booting = boot(config, starting, { trial: trial(config) });
  const app = await ask.progress.during('Opening the database', booting);
  const entrance = await listening(app, config);
  announce(config, await aboutOf(config, app, ask), entrance, ask);
  starting.serving();
  flushCompileCache();
  return app;
}

/** The name of the signal. */
async function stopOf(signal: AbortSignal): Promise<string> {
  if (!signal.aborted) await once(signal, 'abort');
  return (signal.reason as Error).message;
}

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

async function aboutOf(config: Config, { services }: App, { io }: Ask): Promise<About> {
  const { activeAt } = await import('../boot/open-site.ts');
  const active = activeAt(config);
  return {
    title: (await services.about()).title,
    more: (await Promise.all(active.map((one) => one.startLines?.(config, services, io.cwd) ?? []))).flat(),
    undefended: await undefendedNow(config, active, services.extensions),
    unnamedProxy: unnamedProxyIn(config, services.clients.believesHeaders),
    behind: await behindOf(services),
  };
}

function announce(
  config: Config,
  { title, more, undefended, unnamedProxy, behind }: About,
  entrance: Entrance,
  { out, io: { stdout, cwd } }: Ask,
): void {
  const { url, apiPrefix, apiFaces, data, database, deployment, host, port } = config;
  const faces = { neutral: [apiPrefix], classic: ['wp-json'], both: [apiPrefix, 'wp-json'] }[apiFaces];
  const absent = absentOf(deployment);
  const isShown = entrance.first?.generated !== undefined && stdout.isTTY === true;
  const lines = [
    `Gatehouse ${version()} serves ${printable(title)}`,
    ...toldOf(entrance, config, isShown, cwd),
    ...more,
    ...faces.map((face, index) => `  ${index === 0 ? 'API       ' : '          '}  ${url}/${face}/`),
    `  Listening   ${host.includes(':') ? `[${host}]` : host}:${port}`,
    `  Data        ${data}`,
    ...(database ? [`  Database    PostgreSQL at ${new URL(database).host || 'this machine'}`] : []),
    `  Deployment  ${deployment.name} (${deployment.path})`,
    ...(unnamedProxy ? [`  Warning     ${unnamedProxy}`] : []),
    ...(undefended ? [`  Undefended  ${undefended.what} (${undefended.by})`] : []),
    ...(behind ? [`  Clock       ${behind}. ${clockRemedy}`] : []),
    ...(absent.length > 0 ? [`  Not yet     ${absent.join(', ')}: turned on, but not available in this version`] : []),
  ];
  out(lines.join('\n'));
  if (isShown) forgetFirstPassword(data);
}

async function finish(app: App, log: Logger): Promise<number> {
  const { promise: cutOff, resolve } = Promise.withResolvers<number>();
  const late = setTimeout(() => {
    log.warn('Requests or follow-up work did not finish within the time limit and were cut off.');
    resolve(1);
  }, PATIENCE);
  const code = await Promise.race([app.close().then(() => 0), cutOff]);
  clearTimeout(late);
  return code;
}

/** The site is reached through a proxy, because Gatehouse itself does not speak HTTPS and only this machine reaches a loopback address. */
function unnamedProxyIn({ url, host, trustProxy }: Config, believesHeaders: boolean): string | undefined {
  const { protocol, hostname } = new URL(url);
  const isLocal = isLoopback(host);
  const isProxied = !isLoopback(hostname) && (protocol === 'https:' || isLocal);
  const isTrusting = trustProxy.length > 0 && (isLocal || namedProxies(trustProxy).length > 0);
  if (!isProxied || isTrusting || believesHeaders) return undefined;
  const setting = envOf('trustProxy');
  return trustProxy.length === 0
    ? `no proxy is trusted, so all visitors may share one IP address (unset ${setting}, or set it to the IP address of your proxy)`
    : `only proxies on this machine are trusted (set ${setting} to the IP address of your proxy if it is elsewhere)`;
}
