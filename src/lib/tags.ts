// Text that is shown as text: no tag is left in it, nor anything that becomes one once others are gone.

/** Elements whose content is no text. */
const silent = /^<(script|style)\b/i;
const closings = { script: /<\/script/gi, style: /<\/style/gi };

/**
 * Where the text goes on after a tag that ends before `end`. What is looked for once in vain is not looked for again,
 * so that a hostile text takes no longer than its length.
 */
function afterTag(text: string, open: number, end: number, unclosed: Set<string>): number {
  const name = silent.exec(text.slice(open, open + 8))?.[1]?.toLowerCase();
  if ((name !== 'script' && name !== 'style') || unclosed.has(name)) return end;
  const closing = closings[name];
  closing.lastIndex = end;
  const closed = closing.test(text) ? text.indexOf('>', closing.lastIndex) + 1 : 0;
  if (closed > 0) return closed;
  unclosed.add(name);
  return end;
}

/** Takes tags out, scripts and styles with their content. A "<" that opens no tag is text. */
export function stripTags(text: string): string {
  const lastEnd = text.lastIndexOf('>');
  const unclosed = new Set<string>();
  let out = '';
  let from = 0;
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', from)) {
    out += text.slice(from, open);
    if (open > lastEnd) return out + text.slice(open).replaceAll('<', '&lt;');
    const isTag = /[a-z/!?]/i.test(text.charAt(open + 1));
    if (!isTag) out += '&lt;';
    from = isTag ? afterTag(text, open, text.indexOf('>', open) + 1, unclosed) : open + 1;
  }
  return out + text.slice(from);
}
