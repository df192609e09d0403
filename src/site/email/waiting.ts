/** The kind of the jobs that send one message each. */
export const kindOfLetters = 'mail.deliver';

/**
 * What a row of a site that is not opened is: a message that leaves as soon as the site serves, or a digest that does so when it is
 * due, within the hours after.
 */
export function waitingAs(table: string, row: Readonly<Record<string, unknown>>): 'message' | 'digest' | undefined {
  if (table === 'mail_digests') return Number(row.gathered) > 0 ? 'digest' : undefined;
  const isLetter = table === 'jobs' && row.kind === kindOfLetters;
  return isLetter && (row.status === 'queued' || row.status === 'running') ? 'message' : undefined;
}
