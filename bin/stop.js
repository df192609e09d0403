'use strict';

/** A reason not to start that a person can do something about: its message is all they need. */
class Stop extends Error {}

module.exports = { Stop };
