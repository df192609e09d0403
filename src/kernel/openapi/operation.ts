// One operation: a route, one of its methods, and the path it stands under.

import { isRequired } from '#kernel/args/settle.ts';
import { type Face, spellNamespace } from '#kernel/faces.ts';
import { whoMay } from '#kernel/matrix.ts';
import type { Resource } from '#kernel/resource.ts';
import type { Method, Route } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Group } from '#kernel/table.ts';
import { type Components, shapingParameters } from './components.ts';
import type { PathGroup, PathTemplate } from './path.ts';
import { responsesOf } from './responses.ts';
import { type Json, requestSchema } from './schema.ts';

export interface Place {
  readonly face: Face;
  readonly group: Group;
  readonly route: Route;
  readonly method: Method;
  /** The path's groups under their own names. */
  readonly own: PathTemplate;
  /** The same under the names that the document shows. */
  readonly shown: PathTemplate;
  readonly id: string;
}

export const tagOf = (face: Face, namespace: string): string =>
  namespace === '' ? 'site' : spellNamespace(face, namespace);

export function operationOf(place: Place, components: Components): Json {
  const { face, group, route, method, id, shown } = place;
  const members = membersOf(place);
  const inBody = method !== 'GET' && method !== 'DELETE' && documentOf(route) === undefined;
  const body = route.upload ? uploadBody(members) : bodyOf(place, inBody ? members : [], components);
  const parameters = [...pathParameters(place), ...(inBody ? [] : members.map(queryParameter)), ...shaping(place)];
  return {
    operationId: id,
    summary: route.summary.replace(group.namespace, spellNamespace(face, group.namespace)),
    description: descriptionOf(place),
    tags: [tagOf(face, group.namespace)],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: responsesOf(
      { route, method, template: shown, takes: members.length > 0 || body !== undefined },
      components,
    ),
    security: components.security(route, method),
  };
}

interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** What the operation takes beside its path: the arguments, and the members of an object payload. */
function membersOf({ face, route, own }: Place): Member[] {
  const names = new Set(own.groups.map(({ name }) => name));
  const declared = { ...route.args, ...payloadMembers(route) } as Record<string, Schema>;
  return Object.entries(declared)
    .filter(([name, { readonly }]) => !names.has(name) && readonly !== true)
    .map(([name, schema]) => ({
      name,
      schema: spelledDefault(face, name, schema),
      required: isRequired(schema, false),
    }));
}

/** The index of a namespace takes its own name, which differs between the faces. */
const spelledDefault = (face: Face, name: string, schema: Schema): Schema =>
  name === 'namespace' && typeof schema.default === 'string'
    ? { ...schema, default: spellNamespace(face, schema.default) }
    : schema;

const payloadMembers = ({ payload }: Route): Readonly<Record<string, Schema>> => {
  const schema = payload as Schema | undefined;
  return (schema?.type === 'object' && schema.properties) || {};
};

/** A payload that is the body as a whole. */
function documentOf({ payload }: Route): Schema | undefined {
  const schema = payload as Schema | undefined;
  return schema?.type === 'object' && schema.properties !== undefined ? undefined : schema;
}

function bodyOf({ route, id }: Place, members: readonly Member[], components: Components): Json | undefined {
  const whole = documentOf(route);
  if (whole === undefined && members.length === 0) return undefined;
  const resource = route.resource as unknown as Resource | undefined;
  const deed = route.methods.length > 1 || route.methods[0] !== 'POST' ? 'update' : 'create';
  const schema = whole === undefined ? objectOf(members) : requestSchema(whole);
  const named = resource === undefined ? schema : components.sent(resource, deed, schema);
  const asForm = whole === undefined && members.every((member) => isScalar(member.schema));
  const body = {
    ...(members.some(({ required }) => required) && { required: true }),
    content: {
      'application/json': { schema: named },
      ...(asForm && { 'application/x-www-form-urlencoded': { schema: named } }),
    },
  };
  return route.methods.length === 1 ? body : components.body(route, id, body);
}

function objectOf(members: readonly Member[]): Json {
  const required = members.filter((member) => member.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member.name, requestSchema(member.schema)])),
    ...(required.length > 0 && { required }),
  };
}

/** The file is one part of a form, or the body itself: then what is said of it stands in the query. */
function uploadBody(members: readonly Member[]): Json {
  const file = { type: 'string', format: 'binary' };
  const said = Object.fromEntries(members.map((member) => [member.name, requestSchema(inForm(member.schema))]));
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: { type: 'object', properties: { file, ...said }, required: ['file'] } },
      'application/octet-stream': { schema: file },
    },
  };
}

/** A form says in text what may be text. */
const inForm = (schema: Schema): Schema =>
  typesOf(schema).includes('string') ? { type: 'string', description: schema.description ?? '' } : schema;

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat());

const scalars = new Set(['string', 'integer', 'number', 'boolean', 'null']);

const isScalar = (schema: Schema): boolean =>
  typesOf(schema).length > 0 && typesOf(schema).every((type) => scalars.has(type));

/** Lists are sent by repeating their name, as generated clients do unless told otherwise; what has members is sent with brackets. */
function styleOf(schema: Schema): Json {
  const types = typesOf(schema);
  if (types.includes('object')) return { style: 'deepObject', explode: true };
  if (!types.includes('array')) return {};
  const flat = schema.items === undefined || isScalar(schema.items);
  return { style: flat ? 'form' : 'deepObject', explode: true };
}

function queryParameter({ name, schema, required }: Member): Json {
  const { description, ...rest } = requestSchema(schema);
  return {
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    ...(required && { required }),
    ...styleOf(schema),
    schema: rest,
  };
}

function pathParameters({ group, route, own, shown }: Place): Json[] {
  const routes = [route, ...group.entries.map((entry) => entry.route)];
  return shown.groups.map((shownGroup, at) => {
    const name = own.groups[at]?.name ?? shownGroup.name;
    const declared = routes.map((one) => declaredIn(one, name)).find((schema) => schema !== undefined);
    return pathParameter(shownGroup, declared ?? { type: 'string' });
  });
}

const declaredIn = ({ args, payload }: Route, name: string): Schema | undefined =>
  (args?.[name] as Schema | undefined) ?? (payload as Schema | undefined)?.properties?.[name];

function pathParameter({ name, pattern, slashes }: PathGroup, declared: Schema): Json {
  const { description, default: _, ...rest } = requestSchema(declared);
  const told = [description, slashes && 'Can contain slashes, which are sent without encoding.']
    .filter(Boolean)
    .join(' ');
  const asked = pattern === undefined ? {} : { pattern };
  return {
    name,
    in: 'path',
    required: true,
    ...(told !== '' && { description: told }),
    schema:
      'pattern' in rest && pattern !== undefined
        ? { ...rest, allOf: [{ type: rest.type, ...asked }] }
        : { ...rest, ...asked },
  };
}

const shaping = ({ route, method }: Place): Json[] =>
  route.resource !== undefined && method === 'GET' ? shapingParameters : [];

function descriptionOf({ route, own, shown }: Place): string {
  const long = shown.groups.filter(({ slashes }) => slashes).map(({ name }) => `\`${name}\``);
  const renamed = own.groups.filter(({ name }, at) => name !== shown.groups[at]?.name).map(({ name }) => `\`${name}\``);
  return [
    `Who may: ${whoMay(route)}`,
    route.batch && 'Can be part of a batch.',
    route.bodyLimit !== undefined && `The body can have at most ${route.bodyLimit} bytes.`,
    long.length > 0 && `${long.join(', ')} in the path can contain slashes.`,
    renamed.length > 0 && `The index gives the groups of the path the names ${renamed.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
