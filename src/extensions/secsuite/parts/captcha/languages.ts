// The languages that a captcha can be shown in, by the codes of its makers.
const codes = [
  ...['ar', 'af', 'am', 'hy', 'az', 'eu', 'bn', 'bg', 'ca', 'zh-HK', 'zh-CN', 'zh-TW', 'hr', 'cs', 'da', 'nl', 'en-GB'],
  ...['en', 'et', 'fil', 'fi', 'fr', 'fr-CA', 'gl', 'ka', 'de', 'de-AT', 'de-CH', 'el', 'gu', 'iw', 'hi', 'hu', 'is'],
  ...['id', 'it', 'ja', 'kn', 'ko', 'lo', 'lv', 'lt', 'ms', 'ml', 'mr', 'mn', 'no', 'fa', 'pl', 'pt', 'pt-BR', 'pt-PT'],
  ...['ro', 'ru', 'sr', 'si', 'sk', 'sl', 'es', 'es-419', 'sw', 'sv', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'vi', 'zu'],
];

const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' });

/** Each code with what the language is called; the empty one leaves it to the browser. */
export const languages: Readonly<Record<string, string>> = {
  '': 'As the browser asks',
  ...Object.fromEntries(codes.map((code) => [code, names.of(code) ?? code])),
};
