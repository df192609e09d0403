// A record written out, as anybody gets it who asks: whoever made it may remember it, and answer it again without making it.
import { hash } from 'node:crypto';

export class Told {
  readonly json: Buffer;
  /** The same for the same bytes only. */
  readonly tag: string;
  /** Where people read it. */
  readonly page: string | undefined;

  constructor(record: unknown, page: string | undefined) {
    this.json = Buffer.from(JSON.stringify(record));
    this.tag = hash('sha1', this.json, 'base64url');
    this.page = page;
  }

  /** For answers that hold it inside of something else. */
  toJSON(): unknown {
    return JSON.parse(this.json.toString());
  }
}

/** A record that is to be written out, for somebody who wants to have it once it is. */
export class Telling<Row> {
  readonly row: Row;
  readonly #keep: (told: Told) => void;

  constructor(row: Row, keep: (told: Told) => void) {
    this.row = row;
    this.#keep = keep;
  }

  as(record: unknown, page: string | undefined): Told {
    const told = new Told(record, page);
    this.#keep(told);
    return told;
  }
}

const [open, comma, close] = ['[', ',', ']'].map((sign) => Buffer.from(sign)) as [Buffer, Buffer, Buffer];

/** An answer of nothing but such records: its bytes, and a tag that is the same for the same bytes. Nothing for any other. */
export function writtenOut(body: unknown): { readonly json: Buffer; readonly tag: string } | undefined {
  if (body instanceof Told) return body;
  if (!Array.isArray(body) || body.length === 0 || !body.every((one) => one instanceof Told)) return undefined;
  const pieces = body.flatMap(({ json }, at) => [at === 0 ? open : comma, json]);
  return {
    json: Buffer.concat([...pieces, close]),
    tag: hash('sha1', body.map(({ tag }) => tag).join(), 'base64url'),
  };
}
