// What is known of a request before anybody looks at it.

/** A file that came with the request, and as much of what is in it as was read. */
export interface Upload {
  /** The field it came in; `name[]` for one of several. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly contents?: Buffer | undefined;
}

/** What is known of a request. */
export interface Asked {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  /** Their names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the client, however it came here. */
  readonly address: string;
  /** Of whoever opened the connection. */
  readonly peer: string;
  readonly port: number;
  readonly secure: boolean;
  readonly serverName: string;
  readonly serverPort: number;
  readonly protocol: string;
  /** In milliseconds. */
  readonly time: number;
  /** As urlencoded text, or read already. */
  readonly form?: string | Readonly<Record<string, unknown>> | undefined;
  readonly files?: readonly Upload[] | undefined;
  readonly rawBody?: Buffer | string | undefined;
  readonly rest?: { readonly route: string; readonly method: string; readonly params: object } | undefined;
  /** What is about to be written for it. */
  readonly write?: Writing | undefined;
  /** The host of this site, without a port. */
  readonly siteHost: string;
}

/** A change that a request is about to make: of what kind of record, and whether one is made, changed or deleted. */
export interface Writing {
  readonly record: string;
  readonly action: 'create' | 'change' | 'delete';
}
