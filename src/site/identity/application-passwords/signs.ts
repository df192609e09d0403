// The signs an application password is made of, and how they are written, read and known again.
import { randomInt } from 'node:crypto';

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 24;

/** 24 letters and digits, each as likely as any other. */
export const makePassword = (): string => Array.from({ length }, () => signs[randomInt(signs.length)]).join('');

/** As people read and copy it. */
export const inGroups = (password: string): string => password.replace(/.{4}(?=.)/g, '$& ');

/** Without the blanks it is shown with, and whatever else came with it. */
export const bare = (password: string): string => password.replace(/[^A-Za-z0-9]+/g, '');

/** Whether a text has the form of one, so that it is better not written down. */
export const looksMade = (text: string): boolean => bare(text).length === length && /^[A-Za-z0-9\s]*$/.test(text);
