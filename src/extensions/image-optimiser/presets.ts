// The presets and the live settings as they are kept.
import type { Services } from '#site/extension.ts';
import type { Store } from '#store/store.ts';
import { imageErrors } from './errors.ts';
import {
  basicPreset,
  basicSettings,
  defaultBox,
  descriptionOf,
  type ImageOptions,
  type LiveSettings,
  maxPresets,
  nameOf,
  optionsOf,
  type Preset,
  presetsOf,
  stringsOf,
  wrong,
} from './preset-input.ts';
import type { ImageTables, Tx } from './tables.ts';

const firstSettings: LiveSettings = { settings: basicSettings, resize_sizes: defaultBox, active_preset: null };

const readIn = async <T>(db: Pick<Tx, 'selectFrom'>, name: string): Promise<T | undefined> => {
  const row = await db.selectFrom('imgopt_documents').select('body').where('name', '=', name).executeTakeFirst();
  return row && (JSON.parse(row.body) as T);
};
const keepIn = async (tx: Tx, name: string, value: unknown): Promise<void> => {
  const body = JSON.stringify(value);
  const insert = tx.insertInto('imgopt_documents').values({ name, body });
  await insert.onConflict((on) => on.column('name').doUpdateSet({ body })).execute();
};
const listIn = async (db: Pick<Tx, 'selectFrom'>): Promise<Preset[]> =>
  (await readIn<Preset[]>(db, 'presets')) ?? [basicPreset()];
const liveIn = async (db: Pick<Tx, 'selectFrom'>): Promise<LiveSettings> =>
  (await readIn<LiveSettings>(db, 'live')) ?? firstSettings;

export type Presets = ReturnType<typeof createPresets>;

export function createPresets({ store: shared }: Pick<Services, 'store'>) {
  const store: Store<ImageTables> = shared;

  /** One change of the documents at a time. */
  const change = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    store.write(async (tx, during) => {
      await during.lock('imgopt presets');
      return work(tx);
    });

  const live = async (): Promise<LiveSettings> => {
    const [known, presets] = await Promise.all([liveIn(store.db), listIn(store.db)]);
    const isThere = presets.some(({ id }) => id === known.active_preset);
    return { ...known, active_preset: isThere ? known.active_preset : null };
  };

  return {
    live,
    options: async (): Promise<ImageOptions> => optionsOf(await liveIn(store.db)),

    /** The first time, it keeps the basic preset. */
    async list(): Promise<Preset[]> {
      const known = await readIn<Preset[]>(store.db, 'presets');
      if (known !== undefined) return known;
      return change(async (tx) => {
        const presets = await listIn(tx);
        await keepIn(tx, 'presets', presets);
        return presets;
      });
    },

    async replace(values: readonly unknown[]): Promise<Preset[]> {
      const presets = presetsOf(values);
      await change((tx) => keepIn(tx, 'presets', presets));
      return presets;
    },

    apply: (id: number): Promise<Pick<LiveSettings, 'settings'> & { readonly applied: number }> =>
      change(async (tx) => {
        const preset = (await listIn(tx)).find((one) => one.id === id);
        if (preset === undefined) throw imageErrors.unknownPreset(id);
        const before = await liveIn(tx);
        const { settings, resize_sizes = before.resize_sizes } = preset.config.configs;
        const now: LiveSettings = { settings: { ...before.settings, ...settings }, resize_sizes, active_preset: id };
        await keepIn(tx, 'live', now);
        return { applied: id, settings: now.settings };
      }),

    save: (name: unknown, description: unknown): Promise<Preset> => {
      const said = { name: nameOf(name), description: descriptionOf(description) };
      return change(async (tx) => {
        const presets = await listIn(tx);
        if (presets.length >= maxPresets) throw wrong('name', `There are ${maxPresets} presets already.`);
        const { settings, resize_sizes } = await liveIn(tx);
        const config = { configs: { settings, resize_sizes }, strings: stringsOf(settings) };
        const preset = { id: Math.max(...presets.map(({ id }) => id)) + 1, ...said, config };
        await keepIn(tx, 'presets', [...presets, preset]);
        return preset;
      });
    },
  };
}
