/** What time it is. An argument, so that tests say so. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
