import type { Readable } from 'node:stream';
import type { Context } from './schema.ts';

/** One page of a collection; becomes the paging headers. */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  /** The last page a `prev` link may name; the total's own last page when absent. */
  readonly pages?: number;
  /** The page that this counts as, where an offset has cut it out; the one asked for when absent. */
  readonly page?: number;
}

/** Some of a collection that nobody counts: it goes on behind a place that only whoever gave it out can read. */
export class Stretch<Row> {
  readonly items: readonly Row[];
  /** Where it goes on, sent back as `after`; nothing, where it ends. */
  readonly after: string | undefined;
  /** What else may be done here, by relation: paths of the interface, spelled neutrally. */
  readonly links: Readonly<Record<string, string>>;
  constructor(items: readonly Row[], after: string | undefined, links: Readonly<Record<string, string>>) {
    this.items = items;
    this.after = after;
    this.links = links;
  }
}

/** A new record: 201 with its address. */
export class Created<Row> {
  readonly record: Row;
  readonly more: CreatedWith;
  constructor(record: Row, more: CreatedWith) {
    this.record = record;
    this.more = more;
  }
}

interface CreatedWith {
  readonly headers?: Readonly<Record<string, string>>;
  /** As which it is shown; as its editor sees it, without one. */
  readonly context?: Context;
}

/** A record that is gone now: `{ deleted: true, previous }`. */
export class Deleted<Row> {
  readonly record: Row;
  constructor(record: Row) {
    this.record = record;
  }
}

/** Records by their names, where clients look for them so. */
export class Keyed<Row> {
  readonly records: Readonly<Record<string, Row>>;
  constructor(records: Readonly<Record<string, Row>>) {
    this.records = records;
  }
}

/** Bytes that are no JSON: CSV, XML, images. */
export class Raw {
  readonly body: Readable | Uint8Array | string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(body: Readable | Uint8Array | string, type: string, headers: Readonly<Record<string, string>> = {}) {
    this.body = body;
    this.type = type;
    this.headers = headers;
  }
}

/** An answer with a status of its own. */
export class WithStatus {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An answer that the clock will change: true until this moment, in milliseconds since 1970. */
export class Lasting {
  readonly answer: unknown;
  readonly until: number;
  constructor(answer: unknown, until: number) {
    this.answer = answer;
    this.until = until;
  }
}

export const created = <Row>(record: Row, more: CreatedWith = {}): Created<Row> => new Created(record, more);
export const keyed = <Row>(records: Readonly<Record<string, Row>>): Keyed<Row> => new Keyed(records);
export const stretch = <Row>(
  items: readonly Row[],
  after: string | undefined,
  links: Readonly<Record<string, string>> = {},
): Stretch<Row> => new Stretch(items, after, links);
export const deleted = <Row>(record: Row): Deleted<Row> => new Deleted(record);
export const raw = (body: Readable | Uint8Array | string, type: string, headers?: Record<string, string>): Raw =>
  new Raw(body, type, headers);
export const withStatus = (status: number, body: unknown, headers?: Record<string, string>): WithStatus =>
  new WithStatus(status, body, headers);

export const lasting = (answer: unknown, until: number): Lasting => new Lasting(answer, until);

/** What `dispatch` gives back: everything but the headers that every answer of the interface carries. */
export interface Reply {
  readonly status: number;
  /** In the order they are sent. */
  readonly headers: Record<string, string | number>;
  readonly body: unknown;
  /** Whether somebody is known to have asked: such answers are never stored on the way. */
  readonly known: boolean;
  /** Whether every argument of the query was understood: only then may the answer be kept for the next who asks. */
  readonly understood?: boolean | undefined;
  /** Whether it was made from more than the address: then it is for this client alone. */
  readonly personal?: boolean | undefined;
  /** Everything but the body was asked for. */
  readonly headOnly?: boolean | undefined;
  /** When the clock will have changed the answer, in milliseconds since 1970. */
  readonly until?: number | undefined;
}
