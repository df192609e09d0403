// Metrics in the text format that Prometheus reads.

type Labels = Readonly<Record<string, string | number>>;
/** One value; `suffix` is for the parts of a histogram. */
export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  readonly suffix?: string;
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** All samples of one metric, under its help text and type. */
export function metricFamily(
  type: 'counter' | 'gauge' | 'histogram' | 'summary',
  name: string,
  help: string,
  samples: Iterable<Sample>,
): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  for (const { value, labels, suffix = '' } of samples) lines.push(`${name}${suffix}${written(labels)} ${value}`);
  return `${lines.join('\n')}\n`;
}

function written(labels: Labels = {}): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
