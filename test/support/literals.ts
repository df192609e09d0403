// The texts in the code of the product: string literals and templates, read with TypeScript's own scanner.
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner, type Scanner } from 'typescript/unstable/ast/scanner';

export interface Literal {
  /** Path of the file and number of the line. */
  readonly at: string;
  /** The text, with `…` in place of each substitution. */
  readonly text: string;
}

/** Tokens that end a value: a slash after them divides, and after any other token it begins a regular expression. */
const endsOfValues: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.NullKeyword,
]);

const texts: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
]);

interface Template {
  readonly at: string;
  text: string;
  /** Braces that are open in the substitution. */
  braces: number;
}

class Reader {
  readonly found: Literal[] = [];
  readonly #path: string;
  readonly #source: string;
  readonly #scanner: Scanner;
  /** Templates around the current token, the outermost first. */
  readonly #templates: Template[] = [];
  #before: SyntaxKind = SyntaxKind.Unknown;
  #last: SyntaxKind = SyntaxKind.Unknown;
  #line = 1;
  #counted = 0;

  constructor(path: string, source: string) {
    this.#path = path;
    this.#source = source;
    this.#scanner = createScanner(true, undefined, source);
  }

  read(): Literal[] {
    for (let token = this.#next(); token !== SyntaxKind.EndOfFile; token = this.#next()) {
      const taken = this.#take(token);
      [this.#before, this.#last] = [this.#last, taken];
    }
    return this.found;
  }

  #next(): SyntaxKind {
    const token = this.#scanner.scan();
    const isSlash = token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken;
    return isSlash && !endsOfValues.has(this.#last) ? this.#scanner.reScanSlashToken() : token;
  }

  /** Answers the token as it is read in its place: a brace may go on with a template. */
  #take(token: SyntaxKind): SyntaxKind {
    const template = this.#templates.at(-1);
    if (token === SyntaxKind.CloseBraceToken && template?.braces === 0) return this.#goOn(template);
    if (token === SyntaxKind.TemplateHead)
      this.#templates.push({ at: this.#here(), text: this.#scanner.getTokenValue(), braces: 0 });
    else if (texts.has(token)) this.#add({ at: this.#here(), text: this.#scanner.getTokenValue() });
    else if (template !== undefined && token === SyntaxKind.OpenBraceToken) template.braces++;
    else if (template !== undefined && token === SyntaxKind.CloseBraceToken) template.braces--;
    return token;
  }

  #goOn(template: Template): SyntaxKind {
    const token = this.#scanner.reScanTemplateToken(false);
    template.text += `…${this.#scanner.getTokenValue()}`;
    if (token === SyntaxKind.TemplateTail) {
      this.#templates.pop();
      this.found.push(template);
    }
    return token;
  }

  /** Names of modules are no texts, and texts joined by `+` are one. */
  #add(literal: Literal): void {
    if (this.#last === SyntaxKind.FromKeyword || this.#last === SyntaxKind.ImportKeyword) return;
    const joined = this.#last === SyntaxKind.PlusToken && texts.has(this.#before) ? this.found.pop() : undefined;
    this.found.push(joined === undefined ? literal : { at: joined.at, text: joined.text + literal.text });
  }

  #here(): string {
    const start = this.#scanner.getTokenStart();
    for (; this.#counted < start; this.#counted++) if (this.#source.charCodeAt(this.#counted) === 10) this.#line++;
    return `${this.#path}:${this.#line}`;
  }
}

/** Every string literal and template of a file. */
export const literalsOf = (path: string, source: string): Literal[] => new Reader(path, source).read();
