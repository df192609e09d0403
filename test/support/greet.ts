import type { Answer, TestSite } from './site.ts';

export const greetings = '/api/hello/v1/greetings';

/** Says something as the administrator: the new greeting. */
export async function greet(site: TestSite, text: string, more: Record<string, unknown> = {}): Promise<Answer['body']> {
  const { status, body } = await site.as('administrator').post(greetings, { text, ...more });
  if (status !== 201) throw new Error(`A greeting was refused: ${JSON.stringify(body)}`);
  return body;
}

/** The error body without its wording. */
export const failureOf = ({ status, body }: Answer): unknown => ({ status, code: body.code, data: body.data });
