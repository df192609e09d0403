// The generated pages: what the table of routes says, for people.
import type { Caller } from '#kernel/caller.ts';
import { type Prospect, prospectOf, whoMay } from '#kernel/matrix.ts';
import type { Route } from '#kernel/route.ts';
import type { Table } from '#kernel/table.ts';

export interface Deployed {
  readonly name: string;
  readonly table: Table;
}

/** A role, and what somebody who has only that role may do. */
export interface Asking {
  readonly role: string;
  readonly caller: Caller;
  readonly capabilities: readonly string[];
}

interface Row {
  readonly namespace: string;
  readonly path: string;
  readonly route: Route;
  /** The deployments that serve it. */
  readonly within: readonly string[];
}

export function routesPage(deployments: readonly Deployed[]): string {
  const table = (rows: readonly Row[]) =>
    tableOf(
      ['Methods', 'Path', 'Who may', 'What it does'],
      rows.map((row) => [
        row.route.methods.join(', '),
        code(row.path),
        cell(whoMay(row.route)),
        [cell(row.route.summary), ...remarks(row, deployments)].join(' '),
      ]),
    );
  return page(
    'Routes',
    'Every route of the shipped deployments under its neutral name, in the order of the index. [Who may](access.md) is told role by role on a page of its own; what each route takes and answers is in [openapi.json](openapi.json).',
    sections(deployments, table),
  );
}

const words: Record<Prospect, string> = { yes: 'yes', no: '–', depends: 'depends', key: 'key' };

export function accessPage(deployments: readonly Deployed[], asking: readonly Asking[]): string {
  const table = (rows: readonly Row[]) =>
    tableOf(
      ['Methods', 'Path', ...asking.map(({ role }) => cell(role)), 'On what it depends'],
      rows.map(({ route, path }) => {
        const prospects = asking.map(({ caller }) => prospectOf(route, caller));
        return [
          route.methods.join(', '),
          code(path),
          ...prospects.map((one) => words[one]),
          prospects.includes('depends') ? cell(whoMay(route)) : '',
        ];
      }),
    );
  return page(
    'Who may do what',
    'Each route and each role. *depends*: on the record, on the arguments, or on who owns what, as the last column says by capabilities; [the next table](#capabilities) says which role has which. *key*: API clients with the key that the route itself gives out. Capabilities given to one account beside its roles come on top.',
    `${capabilities(asking)}\n${sections(deployments, table)}`,
  );
}

/** What the sentences of the last column name, role by role. */
function capabilities(asking: readonly Asking[]): string {
  const roles = asking.slice(1);
  const named = [...new Set(roles.flatMap(({ capabilities }) => capabilities))].sort();
  const rows = named.map((name) => [code(name), ...roles.map(({ caller }) => (caller.can(name) ? 'yes' : '–'))]);
  return `## Capabilities\n\n${tableOf(['Capability', ...roles.map(({ role }) => cell(role))], rows)}`;
}

export const page = (title: string, about: string, body: string): string =>
  `# ${title}\n\n<!-- Written by "npm run docs" from the code; what is changed here by hand is lost. -->\n\n${about}\n\n${body}`;

function sections(deployments: readonly Deployed[], table: (rows: readonly Row[]) => string): string {
  const byNamespace = Map.groupBy(rowsOf(deployments), ({ namespace }) => namespace);
  return [...byNamespace]
    .map(([namespace, rows]) => `## ${namespace === '' ? 'The root' : namespace}\n\n${table(rows)}`)
    .join('\n');
}

/** What the deployments serve between them; the last, which serves most, gives the order. */
function rowsOf(deployments: readonly Deployed[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { name, table } of deployments.toReversed()) {
    for (const { namespace, pattern, entries } of table.groups) {
      for (const { route } of entries) {
        const key = `${route.methods.join()} ${pattern.text}`;
        const within = [name, ...(rows.get(key)?.within ?? [])];
        rows.set(key, { namespace, path: pattern.text, route, within });
      }
    }
  }
  return [...rows.values()];
}

const remarks = ({ route, within }: Row, deployments: readonly Deployed[]): string[] => [
  ...(within.length < deployments.length ? [`*Only in deployment ${within.join(', ')}.*`] : []),
  ...(route.hidden ? ['*Not in the index.*'] : []),
];

/** A bar ends a cell, in code too. */
export const cell = (text: string): string => text.replaceAll('|', '\\|');
export const code = (text: string): string => `\`${cell(text)}\``;

export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
