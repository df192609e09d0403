/** What a client may take, in milliseconds and bytes. */
export interface Limits {
  /** How long it may take to send the header of a request. */
  readonly headersTimeout: number;
  /** How long it may take to send all of it. */
  readonly requestTimeout: number;
  /** The same, with a file in it. */
  readonly uploadTimeout: number;
  /** How long the next piece of a body may take. */
  readonly bodyTimeout: number;
  /** The memory that unfinished bodies may take together; whoever comes then is asked to come again. */
  readonly bodiesTogether: number;
  /** How long a connection in use may lie still. */
  readonly idleTimeout: number;
  /** How long a connection may wait for its next request. */
  readonly keepAliveTimeout: number;
  /** How often the time-outs are looked after. */
  readonly checkingInterval: number;
  readonly maxHeaderSize: number;
  readonly maxUrlLength: number;
  /** Connections in all, and those of one client address. */
  readonly connections: number;
  readonly connectionsOfOne: number;
  /** How long the request of a visitor waits until it is worked on. */
  readonly visitorPatience: number;
}

export const standardLimits: Limits = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  uploadTimeout: 3_600_000,
  bodyTimeout: 15_000,
  bodiesTogether: 128 * 1024 * 1024,
  idleTimeout: 60_000,
  keepAliveTimeout: 65_000,
  checkingInterval: 5_000,
  maxHeaderSize: 16_384,
  maxUrlLength: 8_192,
  connections: 10_000,
  connectionsOfOne: 1_000,
  visitorPatience: 5_000,
};
