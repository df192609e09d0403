// What was measured: on the terminal while it runs, in bench/figures.md, and for a comparison in docs/performance.md.
import { availableParallelism } from 'node:os';
import type { Comparison, Spread } from './measure.ts';

export interface Figure {
  readonly what: string;
  readonly ours: string;
  /** What it is held against, measured in the same run. */
  readonly reference?: string;
  readonly ratio?: string;
  /** Processor time for each, ours and the reference's. */
  readonly cpu?: string;
  /** Resident memory, ours and the reference's. */
  readonly memory?: string;
  readonly wanted?: string;
  /** Whether it is as wanted. */
  readonly holds?: boolean;
}

export interface Section {
  readonly title: string;
  /** What is compared with what. */
  readonly about: string;
  readonly figures: readonly Figure[];
}

export const number = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const microseconds = (value: number): string => `${number(value, value < 20 ? 1 : 0)} µs`;
export const megabytes = (bytes: number): string => `${number(bytes / 2 ** 20)} MB`;
export const ratioOf = ({ median, least, most }: Spread): string =>
  `${number(median, 2)} (${number(least, 2)}–${number(most, 2)})`;

/** A comparison as a figure; `least` is the ratio it must reach. */
export function compared(what: string, { ours, reference, ratio, cpuRatio }: Comparison, least?: number): Figure {
  return {
    what,
    ours: `${number(ours.rate)}/s`,
    reference: `${number(reference.rate)}/s`,
    ratio: ratioOf(ratio),
    cpu: `${microseconds(ours.cpu)} / ${microseconds(reference.cpu)} = ${number(cpuRatio.median, 2)}`,
    ...(least !== undefined && { wanted: `≥ ${least}`, holds: ratio.median >= least }),
  };
}

const columns = [
  '',
  'ours',
  'reference',
  'ratio (least–most)',
  'CPU each, ours / reference',
  'memory, ours / reference',
  'wanted',
] as const;

const cells = ({ what, ours, reference, ratio, cpu, memory, wanted, holds }: Figure): string[] => [
  what,
  ours,
  reference ?? '',
  ratio ?? '',
  cpu ?? '',
  memory ?? '',
  wanted === undefined ? '' : `${wanted}: ${holds ? 'yes' : '**no**'}`,
];

/** Columns nobody fills are left out. */
function tableOf(figures: readonly Figure[]): string {
  const all = [columns as readonly string[], ...figures.map(cells)];
  const filled = columns.map((_, at) => at).filter((at) => all.slice(1).some((row) => row[at] !== ''));
  const widths = filled.map((at) => Math.max(3, ...all.map((row) => row[at]!.length)));
  const line = (row: readonly string[]) => `| ${filled.map((at, n) => row[at]!.padEnd(widths[n]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(all[0]!), rule, ...all.slice(1).map(line)].join('\n');
}

export const sectionText = ({ title, about, figures }: Section): string =>
  `## ${title}\n\n${about}\n\n${tableOf(figures)}\n`;

export const machine = (): string =>
  `Node ${process.versions.node} on ${process.platform} ${process.arch} with ${availableParallelism()} cores`;

/** The page of all figures. */
export const pageOf = (sections: readonly Section[]): string => `# Figures

\`npm run bench -- --write\` writes this page; measured with ${machine()}.
[performance.md](../docs/performance.md) explains what the figures mean.

${sections.map(sectionText).join('\n')}`;

const partsOf = (text: string): string[] => text.replace(/\n*$/, '\n\n').split(/^(?=## )/m);

/** The page with these sections replaced. New sections come last. */
export function renewed(text: string, sections: readonly Section[]): string {
  const parts = partsOf(text);
  const isOf = (part: string, { title }: Section): boolean => part.startsWith(`## ${title}\n`);
  const missing = sections.filter((section) => !parts.some((part) => isOf(part, section)));
  return [...parts.map((part) => sections.find((section) => isOf(part, section)) ?? part), ...missing]
    .map((part) => (typeof part === 'string' ? part : `${sectionText(part)}\n`))
    .join('')
    .replace(/\n*$/, '\n');
}
