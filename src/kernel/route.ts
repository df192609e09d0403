// A route is a value. Everything the interface says about it, in the index, in OpenAPI, in the access matrix and in the
// handler's types, is read off this one declaration.
import type { Access } from './access.ts';
import type { Created, Deleted, Keyed, Lasting, Page, Raw, Stretch, WithStatus } from './answer.ts';
import type { Caller } from './caller.ts';
import type { Face } from './faces.ts';
import type { ErrorBody, Problem } from './problem.ts';
import type { Request } from './request.ts';
import type { Resource } from './resource.ts';
import type { Static, TProperties, TSchema, t } from './schema.ts';
import type { Telling, Told } from './told.ts';
import type { FormFile, Upload } from './upload.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type ArgsOf<A extends TProperties> = Static<ReturnType<typeof t.object<A>>>;
type PathNames<P extends string> = P extends `${string}(?P<${infer Name}>${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** What a handler is given. */
interface Ask<P extends string, A extends TProperties, B extends TSchema, Row, Use> {
  readonly args: ArgsOf<A>;
  readonly payload: Static<B>;
  /** The groups of the path as they were sent. Declare one in `args` or `payload` to have it settled too. */
  readonly path: Readonly<Record<PathNames<P>, string>>;
  /** What the access rule found. */
  readonly record: Row;
  readonly caller: Caller;
  /** The file that came, where the route takes one. It is gone once the answer is made. */
  readonly upload: Upload | undefined;
  /** Files in a form, where the route takes them into memory. */
  readonly files: readonly FormFile[];
  readonly use: Use;
  readonly request: Request;
  /** Whether the client asked for this member of the record: what nobody asked for need not be looked up. */
  wants(member: string): boolean;
  /**
   * The face, where anybody who asks on it gets the same: nobody is known, and whole records are wanted as everybody sees them.
   * Such records may be remembered once they are written out.
   */
  readonly anybody: Face | undefined;
}

/** How a family of routes wraps what it answers. A failure carries the ordinary error body besides the family's members. */
interface Envelope {
  success(body: unknown): unknown;
  failure(error: ErrorBody): Record<string, unknown>;
}

type Answered<Item> =
  | Item
  | Told
  | Telling<Item>
  | readonly Item[]
  | Page<Item | Told | Telling<Item>>
  | Stretch<Item>
  | Created<Item>
  | Deleted<Item>
  | Keyed<Item>
  | Raw
  | WithStatus
  | Lasting
  | null;

interface RouteDefinition<P extends string, A extends TProperties, B extends TSchema, Row, Use, Item> {
  readonly method: Method | readonly Method[];
  /** Below the namespace, written as the index prints it. `''` is the namespace itself. */
  readonly path: P;
  /** One line for the person who reads the route list. */
  readonly summary: string;
  readonly access: Access<Row, Use, ArgsOf<A> & Static<B>>;
  /** What the index shows and the handler gets. */
  readonly args?: A;
  /** What the handler gets and the index does not show. */
  readonly payload?: B;
  /** What the answers are records of. */
  readonly resource?: Resource<TProperties, Item>;
  /** Where an answer holds several records: a list of them, or one that finds each by its name. A page is always a list. */
  readonly several?: 'list' | 'map';
  /** What it answers by status, the envelope included, where that is not a record of its resource; null for no body. */
  readonly answers?: Readonly<Record<number, TSchema | null>>;
  /** The content type of these, where they are not JSON. */
  readonly answerType?: string;
  /** Where they are no records: what is sent, as clients draw a form for it. Published in the place of the schema. */
  readonly form?: Readonly<Record<string, unknown>>;
  handle(ask: Ask<P, A, B, Row, Use>): Answered<Item> | Promise<Answered<Item>>;
  /** May be sent inside a batch. */
  readonly batch?: boolean;
  /** Not in the index. */
  readonly hidden?: boolean;
  /** In bytes; the site's own limit when absent. With `upload`, of the file. */
  readonly bodyLimit?: number;
  /** Permission is asked before the arguments are looked at. */
  readonly accessFirst?: boolean;
  /**
   * Takes a file, as the body itself or in a form. Permission is asked before a byte of it is taken. `optional`: a request without a
   * file reaches the handler, too.
   */
  readonly upload?: true | 'optional';
  /** Takes small files in a form, which are held in memory up to `bodyLimit`; a JSON body is read as ever. */
  readonly formFiles?: true;
  /** Refuses a body that is larger than `bodyLimit`, in place of the usual refusal. */
  readonly bodyTooLarge?: () => Problem;
  readonly envelope?: Envelope | undefined;
  /** The route's own token: judged here, instead of the site's credentials. */
  readonly credential?: (request: Request, use: Use) => Promise<Caller>;
}

/** A route once its types have done their work. */
export interface Route extends RouteDefinition<string, TProperties, TSchema, unknown, never, never> {
  readonly methods: readonly Method[];
}

/** The maker of routes whose handlers use these nouns. */
export type RouteMaker<Use> = <
  const P extends string,
  A extends TProperties = Record<never, TSchema>,
  B extends TSchema = ReturnType<typeof t.untyped>,
  Row = undefined,
  Item = unknown,
>(
  definition: RouteDefinition<P, A, B, Row, Use, Item>,
) => Route;

export const routeMaker =
  <Use>(): RouteMaker<Use> =>
  (definition) =>
    ({
      ...definition,
      methods: typeof definition.method === 'string' ? [definition.method] : definition.method,
    }) as unknown as Route;
