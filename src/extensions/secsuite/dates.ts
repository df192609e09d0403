// Dates as the suite writes them: UTC, to the second, with the offset spelt out.

/** `2026-11-22T10:00:00+00:00`. */
export const rdate = (moment: Date | string): string => `${new Date(moment).toISOString().slice(0, 19)}+00:00`;
