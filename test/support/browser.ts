// Chromium, driven for a test: what a person sees, and what an automatic reader for the blind finds wrong with it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { program, programs } from './programs.ts';

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The browser the test run found or installed. As root, which only tests are, it will not start with its own sandbox. */
export function aBrowser(): Promise<Browser> {
  const executablePath = program('chromium') ?? programs.chromium.places[0];
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...quiet, ...asRoot] });
}

interface Violation {
  readonly id: string;
  readonly impact: 'minor' | 'moderate' | 'serious' | 'critical';
  readonly nodes: { readonly html: string }[];
}

async function violationsOf(page: Page): Promise<Violation[]> {
  // The page's own policy lets no script in; the reader comes by the debugger instead.
  await page.evaluate(readFileSync(axe, 'utf8'));
  const found = (await page.evaluate(
    "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  )) as { violations: Violation[] };
  return found.violations;
}

const told = ({ id, nodes }: Violation): string => `${id}: ${nodes.map(({ html }) => html).join(' ')}`;

/** What breaks WCAG 2.2 at level AA on the page as it stands, a line each. */
export const violations = async (page: Page): Promise<string[]> => (await violationsOf(page)).map(told);

/** Of these, what keeps people from using the page: for pages that are made by a library. */
export const seriousViolations = async (page: Page): Promise<string[]> =>
  (await violationsOf(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical').map(told);

/** Whether the page is wider than the window. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth') as Promise<boolean>;

/** What a finger would miss: everything to press that is lower or narrower than this, a line each. A label counts with its box. */
export const smallTargets = (page: Page, pixels = 44): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('a, button, summary, input:not([type=hidden], [hidden])')]
      .map((one) => one.closest('label') ?? one)
      .filter((one) => one.checkVisibility())
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < ${pixels} || height < ${pixels})
      .map(([one, { width, height }]) => one.outerHTML + ' ' + width + ' x ' + height)`,
  ) as Promise<string[]>;
