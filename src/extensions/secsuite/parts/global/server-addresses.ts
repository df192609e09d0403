// Under which addresses this server is reached: by the name of the site, and by a request to itself.
import { Problem } from '#kernel/problem.ts';
import type { Settings } from '../../settings/types.ts';
import type { Ran } from '../../tools/tool.ts';

export interface AddressNeeds {
  readonly settings: Pick<Settings, 'keep'>;
  /** Of the name of the site. */
  named(): Promise<readonly string[]>;
  /** As which this server is seen when it asks itself; nothing where that is not seen here. */
  seen(): Promise<string | undefined>;
}

const code = 'secsuite.tool.identify-server-ips';

export async function serverAddresses({ settings, named, seen }: AddressNeeds): Promise<Ran> {
  const [byName, bySight] = await Promise.allSettled([named(), seen()]);
  if (byName.status === 'rejected' && bySight.status === 'rejected')
    throw new Problem(
      500,
      `${code}.failed`,
      'The addresses of this server could not be found out.',
      {},
      {
        others: [
          { code: `${code}.no-dns`, message: whyNot.byName },
          { code: 'http_request_failed', message: whyNot.bySight },
        ],
      },
    );
  const found = [
    ...(byName.status === 'fulfilled' ? byName.value : []),
    ...(bySight.status === 'fulfilled' && bySight.value !== undefined ? [bySight.value] : []),
  ];
  if (found.length === 0) throw new Problem(500, `${code}.no-ips`, 'This server seems to have no address.');
  const { server_ips: all } = await settings.keep('global', ({ server_ips }) => ({
    server_ips: [...new Set([...(server_ips as readonly string[]), ...found])],
  }));
  const warning = [
    ...(byName.status === 'rejected' ? [whyNot.byName] : []),
    ...(bySight.status === 'rejected' ? [whyNot.bySight] : []),
  ];
  return { data: all, warning };
}

const whyNot = {
  byName: 'The name of the site leads nowhere.',
  bySight: 'The site could not reach itself at its own address.',
};
