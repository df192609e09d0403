// Answers of a site held against its OpenAPI document, as a generated client would read them.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface Answered {
  readonly method: string;
  /** Below the root of the face, without its query. */
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly pattern?: string; readonly allOf?: readonly { readonly pattern?: string }[] };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** What the document says otherwise; nothing where the answer fits, or no operation is at this path. */
export type Held = (answered: Answered) => string | undefined;

export function heldAgainst(document: Described): Held {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const paths = Object.entries(document.paths).map(([path, item]) => [matcherOf(path, item), path, item] as const);
  return ({ method, path, status, body }) => {
    const verb = method.toLowerCase();
    const found = paths.find(([matches, , item]) => item[verb] !== undefined && matches.test(path));
    if (found === undefined) return undefined;
    const [, key, item] = found;
    const response = item[verb]?.responses[status];
    if (response === undefined) return `${method} ${key} answers ${status}, which is not in the document`;
    if (response.content === undefined)
      return body == null ? undefined : `${method} ${key} answers ${status} with a body`;
    const pointer = ['paths', key, verb, 'responses', status, 'content', 'application/json', 'schema'].map(escaped);
    const reference = `document#/${pointer.join('/')}`;
    const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
    compiled.set(reference, validate);
    if (validate(body)) return undefined;
    const { instancePath, message, params } = validate.errors?.[0] ?? {};
    return `${method} ${key} ${status}: ${instancePath} ${message} ${JSON.stringify(params)}`;
  };
}

const escaped = (step: string | number): string =>
  encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'));

function matcherOf(path: string, item: Readonly<Record<string, Operation>>): RegExp {
  const parameters = Object.values(item)[0]?.parameters?.filter((one) => one.in === 'path') ?? [];
  const groups = new Map(parameters.map((one) => [one.name, patternOf(one)]));
  const source = path
    .replace(/#\d+$/, '')
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      return name === undefined ? part.replace(/[.*+?^$()|[\]\\]/g, '\\$&') : (groups.get(name) ?? '[^/]+');
    });
  return new RegExp(`^${source.join('')}/?$`, 'i');
}

const patternOf = ({ schema }: Parameter): string => {
  const pattern = schema.allOf?.[0]?.pattern ?? schema.pattern;
  return pattern === undefined ? '[^/]+' : `(?:${pattern.replace(/^\^|\$$/g, '')})`;
};
