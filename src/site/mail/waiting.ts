/** The kind of the jobs that send one message each. */
export const kindOfLetters = 'mail.deliver';

/** Whether a row of a site that is not opened is a message that leaves as soon as the site serves, or within the hours after. */
export function isWaitingMessage(table: string, row: Readonly<Record<string, unknown>>): boolean {
  if (table === 'mail_digests') return Number(row.gathered) > 0;
  return table === 'jobs' && row.kind === kindOfLetters && (row.status === 'queued' || row.status === 'running');
}
