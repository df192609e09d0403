// Settings of media folders as an account reads and changes them.
import type { Caller } from '#kernel/caller.ts';
import type { CallerDeps } from './caller-folders.ts';
import {
  effectiveUserSettings,
  type SentSettings,
  saveUserSettings,
  siteSettingsIn,
  storedUserSettings,
  userSettingsIn,
} from './settings.ts';

type PreferencesDeps = Pick<CallerDeps, 'store' | 'settings' | 'group' | 'trees' | 'writes'>;

export function createPreferences({ store, settings, group, trees, writes }: PreferencesDeps) {
  const { db } = store;
  return {
    async read(caller: Caller) {
      const { api_key_hash, ...site } = await settings.read(group);
      const tree = await trees.of(await writes.ownerOf(caller.id));
      const user = effectiveUserSettings(await storedUserSettings(db, caller.id), (id) => tree.has(id));
      return { site: { ...site, has_api_key: api_key_hash !== '' }, user };
    },
    /** Those of the site and those of the account. */
    async set(caller: Caller, sent: SentSettings): Promise<true> {
      const [site, user] = [siteSettingsIn(sent), userSettingsIn(sent)];
      const { again } = writes.demanding(caller, ['manage_options']);
      await settings.change(group, site, caller.id, async (tx) => {
        await again(tx, undefined);
        if (Object.keys(user).length > 0) await saveUserSettings(tx, caller.id, user);
      });
      return true;
    },
    async setOwn(caller: Caller, sent: SentSettings): Promise<true> {
      const user = userSettingsIn(sent);
      await writes.edit(caller, ({ tx }) => saveUserSettings(tx, caller.id, user));
      return true;
    },
  };
}
