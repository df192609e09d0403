// HTML and plain-text paths outside the interface: the front page, health, metrics. They know nothing of the server either.

export interface Visit {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client, as far as trusted proxies tell. */
  readonly address: string;
  /** Who is at the other end of the connection. */
  readonly peer: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Page {
  readonly path: string;
  visit(visit: Visit): PageAnswer | Promise<PageAnswer>;
}
