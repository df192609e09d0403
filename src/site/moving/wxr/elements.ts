// Elements of XML as they are written: texts in CDATA sections, so that HTML stays readable, numbers plain.

/** Signs that XML has no form for, not even an escaped one. Halves of pairs are among them. */
const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Between two sections: what ends one, and the line ends that whoever reads would take for others. */
const apart: Readonly<Record<string, string>> = { ']]>': ']]]]><![CDATA[>', '\r': ']]>&#13;<![CDATA[' };

export const cdata = (text: string): string =>
  `<![CDATA[${text.replace(unwritable, '').replace(/]]>|\r/g, (found) => apart[found]!)}]]>`;

export const textIn = (name: string, text: string): string => `<${name}>${cdata(text)}</${name}>`;

export const numberIn = (name: string, number: number): string => `<${name}>${number}</${name}>`;

/** With the elements in it, one to a line. */
export const within = (name: string, members: readonly string[]): string =>
  `<${name}>\n${members.join('\n')}\n</${name}>`;

/** `2026-11-20T12:00:00` as these files say it. */
export const timeOf = (time: string): string => time.replace('T', ' ');

/** The same by the clock of the world, as feeds say it. */
export const mailTimeOf = (utc: string): string => new Date(`${utc}Z`).toUTCString().replace('GMT', '+0000');
