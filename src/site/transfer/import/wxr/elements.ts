// Elements of XML as they are written: texts in CDATA sections, so that HTML stays readable, numbers plain.
import { xmlText } from '#lib/xml.ts';

/** What would end a section, and the line ends that whoever reads would take for others: they stand between two sections. */
const apart: Readonly<Record<string, string>> = { ']]>': ']]]]><![CDATA[>', '\r': ']]>&#13;<![CDATA[' };

export const cdata = (text: string): string =>
  `<![CDATA[${xmlText(text).replace(/]]>|\r/g, (found) => apart[found]!)}]]>`;

export const textIn = (name: string, text: string): string => `<${name}>${cdata(text)}</${name}>`;

export const numberIn = (name: string, number: number): string => `<${name}>${number}</${name}>`;

/** With the elements in it, one to a line. */
export const within = (name: string, members: readonly string[]): string =>
  `<${name}>\n${members.join('\n')}\n</${name}>`;

/** `2026-11-20T12:00:00` as these files say it. */
export const timeOf = (time: string): string => time.replace('T', ' ');

/** The same by the clock of the world, as feeds say it. */
export const mailTimeOf = (utc: string): string => new Date(`${utc}Z`).toUTCString().replace('GMT', '+0000');
