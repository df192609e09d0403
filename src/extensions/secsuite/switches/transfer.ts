// Which modules are on, taken to another site.
import { Problem } from '#kernel/problem.ts';
import type { ImportRun, TransferSource } from '../transfer.ts';
import type { Switches } from './switches.ts';

const [active, inactive] = ['active', 'inactive'] as const;

export const modulesSource = (switches: Pick<Switches, 'modules' | 'isActive' | 'setWithin'>): TransferSource => ({
  slug: 'modules',
  title: 'Modules',
  description: 'Which modules are turned on.',
  schema: { type: 'object', additionalProperties: { type: 'string', enum: [active, inactive] } },
  async collect() {
    const optional = switches.modules.all.filter(({ standing }) => standing !== 'always-active');
    return Object.fromEntries(optional.map(({ id }) => [id, switches.isActive(id) ? active : inactive]));
  },
  async apply(payload, run: ImportRun) {
    for (const [id, status] of Object.entries(payload as Record<string, string>)) {
      const module = switches.modules.find(id);
      if (module === undefined || module.standing === 'always-active') continue;
      try {
        const follow = await switches.setWithin(run, id, status === active);
        run.afterwards(async () => {
          try {
            await follow?.();
          } catch (error) {
            return warningOf(id, error);
          }
          return undefined;
        });
      } catch (error) {
        run.warn(warningOf(id, error));
      }
    }
  },
});

function warningOf(module: string, error: unknown): string {
  if (error instanceof Problem) return `Module ${module}: ${error.message}`;
  throw error;
}
