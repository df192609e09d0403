// How long a text is, and its beginning: in words, or in characters where a language sets no blanks between its words.

export interface Lengths {
  readonly name: 'words' | 'characters';
  /** So many of the first, and whether others follow. */
  first(text: string, most: number): { readonly said: string; readonly isAll: boolean };
}

const words: Lengths = {
  name: 'words',
  first(text, most) {
    const all = text.split(/\s+/).filter((word) => word !== '');
    return { said: all.slice(0, most).join(' '), isAll: all.length <= most };
  },
};

/** With the marks that belong to it; an entity is one. */
const character = /(?:&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});|.)\p{M}*/gisu;

const characters: Lengths = {
  name: 'characters',
  first(text, most) {
    const some = text
      .replace(/\s+/g, ' ')
      .trim()
      .matchAll(character)
      .take(most + 1)
      .map(([sign]) => sign)
      .toArray();
    return { said: some.slice(0, most).join('').trimEnd(), isAll: some.length <= most };
  },
};

const unspaced = new Set(['ja', 'km', 'lo', 'my', 'th', 'zh']);

/** Of a language as the interface writes it: ja, zh_CN. */
export const lengthsIn = (language: string): Lengths => (unspaced.has(language.split('_')[0]!) ? characters : words);
