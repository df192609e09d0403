// Bans, taken to another site.
import { blockOf } from '../addresses/block.ts';
import { rdate } from '../base.ts';
import type { ImportRun, TransferSource } from '../transfer.ts';
import type { Bans, NewBan } from './bans.ts';
import { longestNote } from './forms.ts';

interface Exported {
  readonly host: string;
  readonly created_at: string;
  readonly comment: string;
}

const text = { type: 'string', required: true } as const;

export const bansSource = (bans: Pick<Bans, 'all' | 'importWithin' | 'refresh'>): TransferSource => ({
  slug: 'database-bans',
  title: 'Bans',
  description: 'IP addresses and ranges that are banned, with their notes.',
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        host: text,
        created_at: { ...text, format: 'date-time' },
        comment: { type: 'string', maxLength: longestNote, required: true },
      },
    },
  },
  async collect() {
    const all = await bans.all();
    return all.map(({ host, created_at, comment }): Exported => ({ host, created_at: rdate(created_at), comment }));
  },
  async apply(payload, run: ImportRun) {
    const exported = payload as readonly Exported[];
    // The oldest first, so that they are listed in the same order there.
    const readable = exported.toReversed().flatMap(banOf);
    const { refused, duplicates } = await bans.importWithin(run, readable);
    warnOf(run, exported.length - readable.length, 'have no valid IP address or range');
    warnOf(run, refused, 'would block your own IP address, or a trusted one');
    warnOf(run, duplicates, 'exist already');
    run.afterwards(async () => {
      await bans.refresh();
      return undefined;
    });
  },
});

function banOf({ host, created_at, comment }: Exported): NewBan[] {
  const block = blockOf(host);
  const createdAt = new Date(created_at);
  if (block === undefined || Number.isNaN(createdAt.getTime())) return [];
  return [{ block, actor: null, comment, createdAt }];
}

const warnOf = ({ warn }: ImportRun, many: number, why: string): void => {
  if (many > 0) warn(`${many} of the bans were left out: they ${why}.`);
};
