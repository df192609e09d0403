import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const places = [
  process.env.GATEHOUSE_TEST_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const found = (): string | undefined => places.find((place) => place !== '' && existsSync(place));

const apt = (...args: string[]): SpawnSyncReturns<Buffer> =>
  spawnSync('apt-get', args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });

/** The browser for the tests that need one: what is there, or, as root on Debian, what apt installs. */
export function chromium(say: (text: string) => void): string | undefined {
  const there = found();
  if (there !== undefined) return there;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  say('Installing Chromium with apt (once) …');
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium');
  return found();
}
