// Who is at work with something that may go: what was begun is done before it is ended.

export interface CallsUnderWay {
  /** Does it; until it is done, somebody is at work. */
  of<R>(work: () => R): R;
  /** Resolves as soon as nobody is. */
  idle(): Promise<void>;
}

export function createCallsUnderWay(): CallsUnderWay {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const done = (): void => {
    underWay -= 1;
    if (underWay > 0) return;
    for (const told of waiting) told();
    waiting = [];
  };
  return {
    of(work) {
      underWay += 1;
      let made: ReturnType<typeof work>;
      try {
        made = work();
      } catch (error) {
        done();
        throw error;
      }
      if (made instanceof Promise) made.then(done, done);
      else done();
      return made;
    },
    idle: () => new Promise((resolve) => (underWay === 0 ? resolve() : void waiting.push(resolve))),
  };
}
