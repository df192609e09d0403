/** Said inside a process when its set of extensions changed, because cached values may come from the former set. */
export const membersTopic = 'members';
