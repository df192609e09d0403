// How the routes of media folders answer.
import type { ErrorBody } from '#kernel/problem.ts';
import type { TProperties } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';

/** The answers of a family: `{ success, data }`. */
export const envelope = {
  success: (data: unknown) => (data === undefined ? { success: true } : { success: true, data }),
  failure: ({ code, message }: ErrorBody) => ({ data: { mess: message, code } }),
};

/** Shapes of answers, for the OpenAPI document. */
export const shapesOf = ({ t }: Pick<Toolkit<never>, 't'>) => {
  const counts = t.object({ display: t.map(t.integer()), actual: t.map(t.integer()) });
  const node = t.object(
    { id: t.integer(), key: t.integer(), title: t.string(), parent: t.integer(), children: t.list(t.free()) },
    { additionalProperties: true },
  );
  const wrapped = (data: TProperties) =>
    t.object({ success: t.boolean(), data: t.object(data, { additionalProperties: true }) });
  return { counts, node, wrapped, isTrue: t.boolean(), mess: wrapped({ mess: t.string() }) };
};
