// The files that the page of the API reference loads: those of the installed package, read when they are asked for.
import { readFile } from 'node:fs/promises';

const folder = import.meta.resolve('swagger-ui-dist/package.json');

/** `name` is one of those that the page names. */
export const readReferenceFile = (name: string): Promise<Uint8Array> => readFile(new URL(name, folder));
