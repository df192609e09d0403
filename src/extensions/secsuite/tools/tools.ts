// Tools: what a tool is, and the tools of the modules that run, shown, switched and run.
import { failure, type Settler } from '#kernel/args/checks.ts';
import { compile } from '#kernel/args/validate.ts';
import type { Caller } from '#kernel/caller.ts';
import { problemFrom, raise } from '#kernel/problem.ts';
import type { Queue } from '#site/jobs/job.ts';
import { suiteErrors } from '../errors.ts';
import { failureOf, withFailureLog } from '../logs/failing.ts';
import type { Logs } from '../logs/logs.ts';
import type { Module, SettingsSchema, ToolCard } from '../module.ts';
import { type ConditionContext, toolHolds } from '../settings/conditions.ts';
import type { Settings } from '../settings/types.ts';

/** What came of a run. */
export interface Ran {
  /** Nothing: it has nothing to tell but what its messages say. */
  readonly data?: unknown;
  readonly success?: readonly string[];
  readonly info?: readonly string[];
  readonly warning?: readonly string[];
}

export interface Run {
  readonly form: Readonly<Record<string, unknown>>;
  /** Nobody, where it is run by its schedule. */
  readonly caller: Caller | undefined;
}

/** What a tool does. A `Problem` says why it could not. */
export interface Doing {
  /** Whether it can be run just now; without it, always. */
  isAvailable?(): boolean | Promise<boolean>;
  run(run: Run): Ran | Promise<Ran>;
}

export interface Tool {
  readonly slug: string;
  readonly module: string;
  readonly title: string;
  readonly description: string;
  readonly help: string;
  readonly keywords: readonly string[];
  readonly available: boolean;
  readonly condition: ToolCard['condition'];
  readonly schedule: string;
  readonly form: SettingsSchema | undefined;
}

/** The kind of job that runs the tools of a schedule. */
interface Use {
  readonly tools: Pick<Tools, 'runScheduled'>;
}

interface ToolsPayload {
  readonly schedule: string;
}

export const toolsJob = withFailureLog<ToolsPayload, Use>({
  name: 'security-suite.tools',
  about: 'Runs the due tools of the security suite',
  serving: true,
  lane: { name: 'security-suite.tools', atOnce: 1 },
  run: async ({ schedule }, _work, { tools }) => tools.runScheduled(schedule),
});

export interface Tools {
  /** Called once, when the nouns that tools work with are made. */
  provide(doings: Readonly<Record<string, Doing>>): void;
  list(): Promise<Tool[]>;
  get(slug: string): Promise<Tool>;
  /** Of a tool that can be switched; there is none yet. */
  toggle(slug: string, enabled: boolean | undefined): Promise<Tool>;
  run(slug: string, form: unknown, caller: Caller | undefined): Promise<Ran>;
  /** Those of this schedule that can be run now, each whatever becomes of the others. */
  runScheduled(schedule: string): Promise<void>;
  /** Has a background job run those of this schedule. */
  runLater(schedule: string): Promise<unknown>;
}

interface ToolsDeps {
  /** Those that run. */
  modules(): readonly Module[];
  readonly settings: Pick<Settings, 'shown'>;
  readonly context: ConditionContext;
  readonly logs: Pick<Logs, 'write'>;
  readonly queue: Queue<ToolsPayload>;
}

interface Card extends ToolCard {
  readonly slug: string;
  readonly module: Module;
}

export function createTools({ modules, settings, context, logs, queue }: ToolsDeps): Tools {
  let doings: Readonly<Record<string, Doing>> = {};
  const cards = (): Card[] =>
    modules().flatMap((module) =>
      Object.entries(module.tools ?? {}).map(([slug, card]) => ({ ...card, slug, module })),
    );
  const isAvailable = async (slug: string): Promise<boolean> => {
    const doing = doings[slug];
    return doing !== undefined && ((await doing.isAvailable?.()) ?? true);
  };
  const shown = async (card: Card): Promise<Tool> => toolOf(card, await isAvailable(card.slug));
  const cardOf = (slug: string): Card =>
    cards().find((card) => card.slug === slug) ?? raise(suiteErrors.notFound('This tool'));
  const run: Tools['run'] = async (slug, sent, caller) => {
    const { condition, form } = cardOf(slug);
    if (!(await isAvailable(slug))) throw suiteErrors.runNotAvailable();
    if (condition && !toolHolds(condition, settings.shown, context))
      throw suiteErrors.runConditionInvalid(condition.description);
    return doings[slug]!.run({ form: form ? settled(form, sent) : {}, caller });
  };
  return {
    provide: (all) => {
      doings = all;
    },
    run,
    runLater: (schedule) => queue.add({ schedule }, { key: schedule }),
    list: () => Promise.all(cards().map(shown)),
    get: async (slug) => shown(cardOf(slug)),
    async toggle(slug, enabled) {
      const card = cardOf(slug);
      if (enabled !== undefined && card.toggle !== true)
        throw enabled ? suiteErrors.enableNonToggleable() : suiteErrors.disableNonToggleable();
      return shown(card);
    },
    async runScheduled(schedule) {
      for (const { slug, condition } of cards().filter((card) => card.schedule === schedule)) {
        if ((condition && !toolHolds(condition, settings.shown, context)) || !(await isAvailable(slug))) continue;
        try {
          await run(slug, {}, undefined);
        } catch (error) {
          logs.write(failureOf(slug, error));
        }
      }
    },
  };
}

/** What a tool does not say of itself, its module says. */
const toolOf = ({ slug, module, schedule = '', condition, form, ...card }: Card, available: boolean): Tool => ({
  slug,
  module: module.id,
  available,
  schedule,
  condition,
  form,
  title: card.title ?? module.title,
  description: card.description ?? module.description,
  help: card.help ?? module.help ?? '',
  keywords: card.keywords ?? [],
});

const settlers = new WeakMap<SettingsSchema, Settler>();

function settled(form: SettingsSchema, sent: unknown): Readonly<Record<string, unknown>> {
  const settler = settlers.get(form) ?? compile(form);
  settlers.set(form, settler);
  const given = typeof sent === 'object' && sent !== null ? sent : {};
  // A default is what a form shows at first, and stands for nothing that was not sent.
  const missing = [form.required ?? []].flat().find((name) => typeof name === 'string' && !Object.hasOwn(given, name));
  if (missing !== undefined)
    throw problemFrom(400, failure('rest_property_required', `The form must contain ${missing}.`));
  const wrong = settler.check(given, 'form');
  if (wrong) throw problemFrom(400, wrong);
  return settler.coerce(given) as Readonly<Record<string, unknown>>;
}
