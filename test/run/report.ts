// What a run of tests tells: a line for each file when it ends, every failure whole, and at the end where the processor time went.
import { writeFileSync } from 'node:fs';
import { titleOf } from './pool.ts';
import type { CpuSeconds, WorkerMessage } from './worker.ts';

export type TestReport = Extract<WorkerMessage, { kind: 'test' }>;

export interface FileReport {
  readonly file: string;
  readonly title: string;
  readonly tests: readonly TestReport[];
  /** Why the file failed as a whole: it could not be loaded, ended its process, took too long, left an error that no test caught. */
  readonly fault: string | undefined;
  readonly seconds: number;
  readonly cpu: CpuSeconds;
  /** The end of what it printed. */
  readonly output: string;
}

export const emptyReport = (file: string): FileReport => ({
  file,
  title: titleOf(file),
  tests: [],
  fault: undefined,
  seconds: 0,
  cpu: { own: 0, children: 0 },
  output: '',
});

const failuresOf = ({ tests }: FileReport): TestReport[] => tests.filter(({ outcome }) => outcome === 'failed');
export const hasFailed = (report: FileReport): boolean => report.fault !== undefined || failuresOf(report).length > 0;
const cpuOf = ({ cpu }: FileReport): number => cpu.own + cpu.children;
const count = (report: FileReport, outcome: TestReport['outcome']): number =>
  report.tests.filter((test) => test.outcome === outcome).length;

/** One line for a file, and whatever failed in it. */
export function fileLines(report: FileReport): string {
  const { title, fault, output, seconds } = report;
  const failed = failuresOf(report).length + (fault === undefined ? 0 : 1);
  const counts = `${count(report, 'passed')} passed${failed > 0 ? `, ${failed} failed` : ''}`;
  const line = `${failed > 0 ? 'FAILED' : 'ok    '}  ${title}  (${counts}, ${seconds.toFixed(1)} s, CPU ${cpuOf(report).toFixed(1)} s)`;
  const told = failuresOf(report).map(({ name, file, reason }) => {
    const at = [report.file, ''].includes(file) ? '' : `  in ${titleOf(file)}`;
    return `\nFAILED  ${name}\n        ${title}${at}\n${indented(reason)}\n`;
  });
  if (fault !== undefined) told.push(`\nFAILED  ${title}\n${indented(fault)}\n`);
  if (failed > 0 && output.trim() !== '') told.push(`        It printed:\n${indented(output.trimEnd())}`);
  return [...told, line].join('\n');
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  /** Tests that this machine could not run. */
  readonly skipped: readonly string[];
}

export function totalsOf(reports: readonly FileReport[]): Totals {
  const sum = (of: (report: FileReport) => number): number => reports.reduce((all, one) => all + of(one), 0);
  return {
    passed: sum((report) => count(report, 'passed')),
    failed: sum((report) => failuresOf(report).length + (report.fault === undefined ? 0 : 1)),
    skipped: reports.flatMap(({ title, tests }) =>
      tests
        .filter(({ outcome }) => outcome === 'skipped')
        .map(({ name, reason }) => `${name} (${[title, reason].filter(Boolean).join(': ')})`),
    ),
  };
}

/** Seconds of processor time that the quick suite may take. */
const cpuBudget = 900;
const dearest = 20;
const fileBudget = { cpuSeconds: 10, cases: 40 };

/** Where the processor time went. `spent` is that of all processes, the database server among them. */
export function costLines(reports: readonly FileReport[], spent: number, isFull: boolean): string {
  const areas = Map.groupBy(reports, ({ title }) => areaOf(title));
  const rows = [...areas]
    .map(([area, files]) => ({ area, files: files.length, cpu: files.reduce((all, one) => all + cpuOf(one), 0) }))
    .sort((a, b) => b.cpu - a.cpu)
    .map(({ area, files, cpu }) => `  ${cpu.toFixed(1).padStart(7)}  ${area} (${numbered(files, 'file')})`);
  const row = (report: FileReport): string =>
    `  ${cpuOf(report).toFixed(1).padStart(7)}  ${report.title} (${numbered(report.tests.length, 'case')})`;
  const byCost = reports.toSorted((a, b) => cpuOf(b) - cpuOf(a));
  const large = byCost.filter((one) => cpuOf(one) > fileBudget.cpuSeconds || one.tests.length > fileBudget.cases);
  return [
    '\nCPU seconds by area:',
    ...rows,
    `\nThe ${dearest} dearest files:`,
    ...byCost.slice(0, dearest).map(row),
    ...(isFull || large.length === 0
      ? []
      : [`\nMore than ${fileBudget.cpuSeconds} CPU seconds or ${fileBudget.cases} cases:`, ...large.map(row)]),
    `\nCPU ${Math.round(spent)}${isFull ? '' : ` of ${cpuBudget}`} s`,
  ].join('\n');
}

export const numbered = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** `src/site`, `src/extensions/core`, `test/journeys`. */
const areaOf = (title: string): string => {
  const parts = title.split('/').slice(0, -1);
  return parts.slice(0, parts[1] === 'extensions' ? 3 : 2).join('/') || '.';
};

const indented = (text: string): string => text.replaceAll(/^/gm, '        ');

const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** The run as JUnit XML, for tools that read it. */
export function writeJunit(path: string, reports: readonly FileReport[]): void {
  const suites = reports.map((report) => {
    const failed = failuresOf(report).length + (report.fault === undefined ? 0 : 1);
    const cases = report.tests.map(({ name, outcome, seconds, reason }) => {
      const inner = {
        passed: '',
        failed: `<failure message="${escaped(reason.split('\n')[0] ?? '')}">${escaped(reason)}</failure>`,
        skipped: '<skipped/>',
      }[outcome];
      return `    <testcase classname="${escaped(report.title)}" name="${escaped(name)}" time="${seconds.toFixed(3)}">${inner}</testcase>`;
    });
    if (report.fault !== undefined)
      cases.push(
        `    <testcase classname="${escaped(report.title)}" name="the whole file"><failure>${escaped(report.fault)}</failure></testcase>`,
      );
    return `  <testsuite name="${escaped(report.title)}" tests="${cases.length}" failures="${failed}" skipped="${count(report, 'skipped')}" time="${report.seconds.toFixed(3)}">\n${cases.join('\n')}\n  </testsuite>`;
  });
  writeFileSync(path, `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`);
}
