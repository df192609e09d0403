/** The same characters are one password, whichever keyboard wrote them: as it is kept, and as it is judged. */
export const composed = (password: string): string => password.normalize('NFKC');
