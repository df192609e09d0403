/** Around work that only reads much at the same time: what it looks up may be looked up together, and once. */
export type Gathering = <R>(work: () => Promise<R>) => Promise<R>;

/** Where nothing is gathered, each looks for itself. */
export const eachAlone: Gathering = (work) => work();
