// Programs of other makers that some tests drive. A test asks for one by name; the runner installs what the chosen files ask for.
import { existsSync } from 'node:fs';
import { needs } from './needs.ts';

interface Program {
  /** For people. */
  readonly title: string;
  /** What brings it on Debian. */
  readonly packages: readonly string[];
  readonly places: readonly string[];
}

export const programs = {
  chromium: {
    title: 'Chromium',
    packages: ['chromium'],
    places: [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
  },
  nginx: {
    title: 'nginx',
    packages: ['nginx'],
    places: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'],
  },
  apache: {
    title: 'Apache',
    packages: ['apache2'],
    places: ['/usr/sbin/apache2', '/usr/sbin/httpd', '/opt/homebrew/bin/httpd'],
  },
  caddy: { title: 'Caddy', packages: ['caddy'], places: ['/usr/bin/caddy', '/usr/local/bin/caddy'] },
  haproxy: { title: 'HAProxy', packages: ['haproxy'], places: ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'] },
  fish: {
    title: 'fish',
    packages: ['fish'],
    places: ['/usr/bin/fish', '/usr/local/bin/fish', '/opt/homebrew/bin/fish'],
  },
  zsh: { title: 'zsh', packages: ['zsh'], places: ['/usr/bin/zsh', '/bin/zsh'] },
  postgres15: {
    title: 'PostgreSQL 15',
    packages: ['postgresql-15'],
    places: ['/usr/lib/postgresql/15/bin/postgres'],
  },
  swift: {
    title: 'OpenStack Swift, a real S3 server',
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'],
    places: ['/usr/bin/swift-proxy-server'],
  },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;

/** `GATEHOUSE_TEST_NGINX` names another place. */
export const variableOf = (name: ProgramName): string => `GATEHOUSE_TEST_${name.toUpperCase()}`;

/** Where the program is on this machine. */
export function program(name: ProgramName): string | undefined {
  const given = process.env[variableOf(name)];
  return [...(given ? [given] : []), ...programs[name].places].find((place) => existsSync(place));
}

/** A test that drives the program, which it is told the path of. */
export function withProgram(name: ProgramName, about: string, run: (path: string) => Promise<void>): void {
  const path = program(name);
  needs(path !== undefined, programs[name].title, about, () => run(path ?? ''));
}
