// By what test data is known, beside each record. A mark is this site's word for what this site made: nobody else's is believed, and
// none goes along when a record moves.

/** That a record is test data. Every key that has more words behind it says more of that. */
export const testDataMark = '_datagen';

export const isMark = (key: string): boolean => key === testDataMark || key.startsWith(`${testDataMark}_`);
