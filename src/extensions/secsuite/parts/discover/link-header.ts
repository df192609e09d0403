// Where a `Link` header leads for one relation.

/** One link after the other. Nothing in it is looked at twice, however long it is. */
const links = /<([^<>]*)>([^<>]*)/g;
const relation = /(?:^|;)\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]+))/i;

/** The first that has this relation, among others or alone. */
export function linked(header: string, rel: string): string | undefined {
  for (const [, target, parameters] of header.matchAll(links)) {
    const [, quoted, bare] = relation.exec(parameters ?? '') ?? [];
    if ((quoted ?? bare ?? '').split(/\s+/).includes(rel)) return target;
  }
  return undefined;
}
