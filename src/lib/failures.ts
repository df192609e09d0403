// What can go wrong below every floor without being anybody's mistake. The kernel turns these into answers.

/** Something the site depends on is away for now; asking again later may succeed. */
export class Unavailable extends Error {
  readonly retryAfter: number;
  /** What is away, where somebody tells one from another. */
  readonly code: string;

  constructor(message: string, options: { cause?: unknown; retryAfter?: number; code?: string } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Unavailable';
    this.code = options.code ?? 'unavailable';
    this.retryAfter = options.retryAfter ?? 5;
  }
}

/** The database is there, but every connection to it was in use for too long. */
export class Busy extends Unavailable {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { ...options, code: 'busy' });
    this.name = 'Busy';
  }
}

/** What was to be done was undone, because others did what does not go together with it at the same moment. */
export class Crossed extends Unavailable {
  constructor(options: { cause?: unknown } = {}) {
    const message = 'Another write changed the same data at the same time, so this write was undone. Try again.';
    super(message, { ...options, retryAfter: 1, code: 'crossed' });
    this.name = 'Crossed';
  }
}

/** There is no room left to write. Reading goes on. */
export class OutOfSpace extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'OutOfSpace';
  }
}
