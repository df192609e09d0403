// Which modules run: found anew whenever anything changes that this rests on, and asked without waiting.
import type { Log } from '#store/engine.ts';
import { createListeners } from '../listeners.ts';
import type { ModuleList } from '../settings/modules.ts';
import type { Unmet } from './requirements.ts';
import type { Switches } from './types.ts';

export interface Running {
  has(id: string): boolean;
  /** Finds them anew, and tells what that changed. */
  look(): void;
  readonly onChange: Switches['onChange'];
}

interface Needs {
  readonly modules: ModuleList;
  isActive(id: string): boolean;
  readonly unmet: Unmet;
  readonly log: Pick<Log, 'error'>;
}

export function createRunning({ modules, isActive, unmet, log }: Needs): Running {
  const { tell, add } = createListeners<Parameters<Parameters<Switches['onChange']>[0]>>((error) =>
    log.error({ err: error }, 'Somebody who was told that modules started or stopped has failed.'),
  );
  let running: ReadonlySet<string> = new Set();
  return {
    has: (id) => running.has(id),
    look() {
      const before = running;
      const now = modules.all.filter((module) => isActive(module.id) && unmet(module, 'run').length === 0);
      running = new Set(now.map(({ id }) => id));
      const started = [...running].filter((id) => !before.has(id));
      const stopped = [...before].filter((id) => !running.has(id));
      if (started.length + stopped.length > 0) tell(started, stopped);
    },
    onChange: add,
  };
}
