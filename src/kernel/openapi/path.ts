// Paths as OpenAPI writes them: `/bans/(?P<id>\d+)` becomes `/bans/{id}`, and the pattern goes to the parameter.
import { compilePattern, fillPattern } from '../table.ts';
import { portablePattern } from './schema.ts';

export interface PathGroup {
  readonly name: string;
  /** What the value must look like, anchored; undefined where strict readers could not read it. */
  readonly pattern: string | undefined;
  /** The value may be several segments long. */
  readonly slashes: boolean;
}

export interface PathTemplate {
  readonly path: string;
  /** The same for paths that differ only in the names of their groups, which OpenAPI takes for one. */
  readonly key: string;
  readonly groups: readonly PathGroup[];
}

const marks = /~(\w+)~/g;

export function templateOf(text: string): PathTemplate {
  const pattern = compilePattern(text);
  const filled = fillPattern(pattern, Object.fromEntries(pattern.names.map((name) => [name, `~${name}~`])));
  const literals = filled.split(/~\w+~/);
  const starts = pattern.names.map((name) => text.indexOf(`(?P<${name}>`));
  const groups = pattern.names.map((name, at) => {
    const end = (starts[at + 1] ?? text.length) - literals[at + 1]!.length - 1;
    return pathGroup(name, text.slice(starts[at]! + `(?P<${name}>`.length, end));
  });
  const path = (template: string) => filled.replace(/\\(.)/g, '$1').replace(marks, template);
  return { path: path('{$1}'), key: path('{}').toLowerCase(), groups };
}

const pathGroup = (name: string, source: string): PathGroup => ({
  name,
  pattern: portablePattern(`^(?:${source})$`.replace(/^\^\(\?:([^()|]*)\)\$$/, '^$1$')),
  slashes: ['a/b', '1/1', '/a', 'a//b'].some((sample) => new RegExp(`^(?:${source})$`, 'i').test(sample)),
});

/** The template with its groups named as another names them: the same path, said once. */
export function renamed(template: PathTemplate, like: PathTemplate): PathTemplate {
  const groups = template.groups.map((group, at) => ({ ...group, name: like.groups[at]?.name ?? group.name }));
  return { ...template, path: like.path, groups };
}
