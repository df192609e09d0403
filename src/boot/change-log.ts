// The log of a site that serves says which extensions came and went, whoever said so at whichever process.
import type { Extension } from '#site/extension.ts';
import type { Log } from '#store/engine.ts';

interface Changed {
  readonly before: readonly Extension[];
  readonly after: readonly Extension[];
  /** Of those from packages. */
  readonly versions: ReadonlyMap<string, string>;
}

export function logChanges(log: Pick<Log, 'info'>, { before, after, versions }: Changed): void {
  const namesOf = (some: readonly Extension[]) => new Set(some.map(({ name }) => name));
  const [names, left] = [namesOf(before), namesOf(before).difference(namesOf(after))];
  for (const name of left) log.info({ extension: name }, 'An extension is no longer served here.');
  for (const one of after.filter((extension) => !before.includes(extension))) {
    const version = versions.get(one.name);
    const said = names.has(one.name) ? 'Another version of an extension' : 'An extension';
    log.info({ extension: one.name, ...(version && { version }) }, `${said} is served here from now on.`);
  }
}
