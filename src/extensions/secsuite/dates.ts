// Dates as the suite writes them, in UTC.

/** `2026-11-22T10:00:00+00:00`. */
export const rdate = (moment: Date | string): string => `${new Date(moment).toISOString().slice(0, 19)}+00:00`;

/** For people, who need no seconds: `2026-11-22 10:00 UTC`. */
export const minute = (moment: Date | string): string =>
  `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
