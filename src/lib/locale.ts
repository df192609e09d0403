/** What every site speaks, whatever its own language. */
export const firstLanguage = 'en_US';

/** As the interface writes a language: en_GB, de_DE_formal, or a language alone. */
export const isLocale = (text: string): boolean => /^[a-z]{2,3}(_[A-Z]{2}(_[a-z0-9]+)?)?$/.test(text);
