import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Failed, WrongUse } from '#cli/command.ts';
import { createOutgoing } from '#site/outgoing/guard.ts';
import { type Config, envOf } from '../config.ts';
import { version } from '../version.ts';

/** The sentence for a failed `listen`; other errors are left as they are. */
export function listenFailure(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const setting = `--port or ${envOf('port')}`;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Failed(`Port ${port} on ${host} is in use by another program; choose another with ${setting}.`, {
        cause: error,
      });
    case 'EACCES':
      return new Failed(`This system user cannot listen on port ${port}; choose a port from 1024 up with ${setting}.`);
    case 'ENOTFOUND':
      return new WrongUse(
        `The host name ${host} does not exist; give an IP address of this machine with --host or ${envOf('host')}.`,
      );
    case 'EAI_AGAIN':
      return new Failed(
        `The name ${host} cannot be looked up now; give an IP address with --host or ${envOf('host')}.`,
      );
    case 'EADDRNOTAVAIL':
      return new Failed(
        `This machine does not have the IP address ${host}; choose another with --host or ${envOf('host')}.`,
      );
    default:
      return error;
  }
}

/** The system gives outgoing connections ports from 32,768 up. One of those could be taken again before the site listens. */
const belowOutgoing = [20_000, 32_000] as const;
const portTries = 50;

/** The port that is asked for, or for 0 any that is free. Asked before anything is made or opened. */
export async function freePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  if (port !== 0) return probePort(host, port);
  for (let tried = 0; tried < portTries; tried += 1) {
    try {
      return await probePort(host, randomInt(...belowOutgoing));
    } catch (error) {
      if (!isPortTaken(error)) throw error;
    }
  }
  return probePort(host, port);
}

function probePort(host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.once('error', (error) => reject(listenFailure(error, { host, port })));
  probe.listen({ host, port, exclusive: true }, () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : port));
  });
  return promise;
}

const isPortTaken = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';

/** The same for who is about to serve: that the site is up already is said as such. */
export async function portToServe(config: Config): Promise<number> {
  try {
    return await freePort(config);
  } catch (error) {
    if (!isPortTaken(error) || !(await isGatehouse(config))) throw error;
    const another = `choose another port with --port or ${envOf('port')}`;
    throw new Failed(`Gatehouse is running on port ${config.port} of ${config.host} already; stop it, or ${another}.`);
  }
}

/** Whether one answers at the port that is asked for. */
export const isGatehouse = async (config: Reach): Promise<boolean> =>
  (await statusAt(config, '/healthz')) !== undefined;

type Reach = Pick<Config, 'host' | 'port'>;

/** What a site that serves at this port answers; undefined if none does. */
export async function statusAt({ host, port }: Reach, path: '/healthz' | '/readyz'): Promise<string | undefined> {
  const reach = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  const outgoing = createOutgoing({ allowHosts: [`${reach}:${port}`], version: version(), log: { info() {} } });
  const asked = new URL(`http://${reach}:${port}${path}`).href;
  try {
    const answer = await outgoing.fetch(asked, { name: 'port', types: ['*'], most: 10_000, within: 2000 });
    const text = Buffer.from(await answer.bytes()).toString();
    return answer.url === asked ? text : undefined;
  } catch {
    return undefined;
  }
}
