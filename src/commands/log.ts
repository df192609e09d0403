import pino from 'pino';
import type { OutputStream } from '#cli/io.ts';
import type { SiteLog } from '../boot/boot.ts';
import type { Config } from '../config.ts';

/** One JSON line per event on standard error, written at once: the last line before a crash is the one that matters. */
export const createLog = ({ level }: Config['log'], stderr: OutputStream): pino.Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: told } },
    stderr.fd === undefined ? stderr : pino.destination({ fd: stderr.fd, sync: true }),
  );

/** What went wrong and where. Libraries hang more on their errors, such as the row that a database refused. */
function told(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as NodeJS.ErrnoException;
  return { type, message, ...(typeof code === 'string' && { code }), stack };
}

/** The log as a running site uses it. Lines for requests were asked for by name, so no level holds them back. */
export function siteLog(log: pino.Logger): SiteLog {
  const requests = log.child({}, { level: 'info' });
  return {
    info: (details, message) => log.info(details, message),
    warn: (details, message) => log.warn(details, message),
    error: (details, message) => log.error(details, message),
    access: (details, message) => requests.info(details, message),
  };
}

/** Who starts a site reads along: until `serving` is called, what happens is told in plain lines. */
export function startingLog(log: pino.Logger, note: (line: string) => void): SiteLog & { serving(): void } {
  let starting = true;
  const tell =
    (level: 'info' | 'warn' | 'error') =>
    (details: object, message: string): void => {
      if (!starting) log[level](details, message);
      else if (log.isLevelEnabled(level)) note(plain(details, message));
    };
  const serving = (): void => {
    starting = false;
  };
  return { ...siteLog(log), info: tell('info'), warn: tell('warn'), error: tell('error'), serving };
}

/** `A copy was saved first. (/srv/site/copy.db)`: the sentence, and whatever of the details is one text. */
function plain(details: object, message: string): string {
  const said = Object.values(details).flatMap((value) => {
    if (value instanceof Error) return [value.message];
    return typeof value === 'string' ? [value] : [];
  });
  return said.length === 0 ? message : `${message} (${said.join(', ')})`;
}
