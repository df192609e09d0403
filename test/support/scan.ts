// What in a program is code, and what is a comment or text. As long as before, so that places stay the same.

interface Blank {
  readonly from: number;
  readonly to: number;
  readonly kind: 'comment' | 'text';
}

const sameLines = (text: string): string => text.replace(/[^\n]/g, ' ');

function without(source: string, kinds: readonly Blank['kind'][]): string {
  let [code, at] = ['', 0];
  for (const { from, to, kind } of blanks(source)) {
    if (!kinds.includes(kind)) continue;
    code += source.slice(at, from) + sameLines(source.slice(from, to));
    at = to;
  }
  return code + source.slice(at);
}

/** Comments hold words, not imports. */
export const withoutComments = (source: string): string => without(source, ['comment']);

/** Neither comments nor what stands in strings, templates and patterns; what is put into a template stays. */
export const codeAlone = (source: string): string => without(source, ['comment', 'text']);

/** From a place on, as far as each fits. A pattern is one only where nothing could be divided. */
const forms = {
  comment: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
  string: /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y,
  pattern: /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y,
  template: /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y,
  word: /[\w$]+|\s+|[\s\S]/y,
} as const;

const fit = (form: RegExp, source: string, at: number): string | undefined => {
  form.lastIndex = at;
  return form.exec(source)?.[0];
};

const asks = /^(?:return|typeof|instanceof|in|of|case|do|else|void|delete|throw|new|await|yield)$/;

/** Whether a slash behind this begins a pattern. Behind a bracket it may be either: a division has a space behind it. */
function beginsPattern(before: string, source: string, at: number): boolean {
  if (/^[)}]$/.test(before)) return !/\s/.test(source[at + 1] ?? ' ');
  return before === '' || asks.test(before) || !/[\w$\]'"`]$/.test(before);
}

function* blanks(source: string): Generator<Blank> {
  /** For every template that is open, how many braces are open within what is put into it. */
  const open: number[] = [];
  let before = '';
  for (let at = 0; at < source.length; ) {
    const comment = fit(forms.comment, source, at);
    if (comment !== undefined) yield { from: at, to: at + comment.length, kind: 'comment' };
    const text = comment === undefined ? textAt(source, at, before, open) : undefined;
    if (text !== undefined) yield { from: at + 1, to: at + text.length - (text.endsWith('${') ? 2 : 1), kind: 'text' };
    const word = comment ?? text ?? fit(forms.word, source, at)!;
    if (text !== undefined) before = behind(text);
    else if (comment === undefined && word.trim() !== '') before = word;
    at += word.length;
  }
}

/** What a slash behind it would be behind: something that can be divided, or the beginning of something new. */
const behind = (text: string): string => (text.endsWith('${') ? '' : '`');

const templateFrom = (source: string, at: number): string => {
  const rest = fit(forms.template, source, at + 1);
  if (rest === undefined) throw new Error('A template does not end.');
  return source[at] + rest;
};

/** The string, pattern or piece of a template that begins here. */
function textAt(source: string, at: number, before: string, open: number[]): string | undefined {
  const sign = source[at] ?? '';
  if (sign === '`' || (sign === '}' && open.at(-1) === 0)) {
    const text = templateFrom(source, at);
    if (sign === '}') open.pop();
    if (text.endsWith('${')) open.push(0);
    return text;
  }
  if (/[{}]/.test(sign) && open.length > 0) open.push(open.pop()! + (sign === '{' ? 1 : -1));
  if (sign === '/') return beginsPattern(before, source, at) ? fit(forms.pattern, source, at) : undefined;
  if (!/['"]/.test(sign)) return undefined;
  const text = fit(forms.string, source, at);
  if (text === undefined) throw new Error(`A string does not end: ${source.slice(at, at + 40)}`);
  return text;
}
