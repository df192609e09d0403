// What both programs are told, and what they print.
import { env } from 'node:process';

interface Site {
  readonly baseUrl: string;
  readonly user: string;
  readonly password: string;
  readonly categories: number[];
  /** A PNG picture in base64. */
  readonly picture: string;
}

export const site: Site = JSON.parse(env.SITE ?? '');

export const file: File = new File([Uint8Array.from(Buffer.from(site.picture, 'base64'))], 'dot.png', {
  type: 'image/png',
});

export interface Report {
  readonly titles: readonly string[];
  readonly first: string | undefined;
  readonly total: string | null;
  readonly created: string;
  readonly updated: readonly [status: string, title: string, categories: readonly number[]];
  readonly uploaded: readonly [type: string, text: string, width: number | undefined];
  readonly error: readonly [code: string, status: number];
}

/** Whether two types are one and the same; `any` is the same as no other. */
export type IsExact<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Does nothing: the type-check holds what is said between its brackets. */
export const isTrue = <_Holds extends true>(): void => {};
