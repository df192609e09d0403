// What the log of the suite hears of requests that rules matched. What came in files is never kept.
import type { Logs } from '../../logs/logs.ts';
import type { Ended, Hit } from './engine/engine.ts';
import type { View } from './engine/view.ts';

export interface Telling {
  told(hits: readonly Hit[], ended: Ended, view: View): void;
}

export function createTelling({ write }: Pick<Logs, 'write'>): Telling {
  return {
    told(hits, { how }, view) {
      for (const { type, rule } of hits)
        write({
          module: 'firewall',
          code: `${type}::${rule}`,
          type: type === 'BLOCK' ? 'action' : 'notice',
          data: dataOf(view),
        });
      if (how === 'overBudget') write({ module: 'firewall', code: 'over-budget', type: 'warning', data: dataOf(view) });
    },
  };
}

function dataOf(view: View): object {
  const { headers, method } = view.asked;
  return {
    body_data: {
      post: view.source('post') ?? {},
      files: view.source('files') ?? {},
      raw: view.source('raw') ?? null,
    },
    user_agent: headers['user-agent'] ?? '',
    method,
  };
}
