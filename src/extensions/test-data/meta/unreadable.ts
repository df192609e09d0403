/** What people asked for cannot be drawn: it says something else than they can mean, or too much. */
export class Unreadable extends Error {}
