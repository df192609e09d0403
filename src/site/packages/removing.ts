// An extension that was installed is taken away again. What it kept in its tables stays, for when it comes back.
import { Problem } from '#kernel/problem.ts';
import type { Doing } from '../identity/doing.ts';
import { refuseFixed } from './installing.ts';
import { alone } from './leasing.ts';
import type { ExtensionsNeeds } from './needs.ts';
import { unknown } from './refusals.ts';
import { findPackage, listCards } from './registry.ts';
import { letGo } from './sweeping.ts';

export async function removePackage(needs: ExtensionsNeeds, slug: string, doing: Doing): Promise<void> {
  const { store, bundled, operator } = needs;
  const card = (await listCards(store.db, bundled)).find((one) => one.slug === slug);
  if (card === undefined) throw unknown(slug, bundled);
  if (card.active) throw stillOn(slug);
  if (card.bundled)
    throw new Problem(
      400,
      'rest_cannot_delete',
      `${card.name} comes with Gatehouse: it can be switched off, not removed.`,
    );
  refuseFixed(operator);
  // Nobody installs it again before its files are gone.
  await alone(needs, slug, () => takenAway(needs, slug, doing));
}

async function takenAway(needs: ExtensionsNeeds, slug: string, doing: Doing): Promise<void> {
  const { store, bundled } = needs;
  const gone = await store.write(async (tx, during) => {
    await doing.again?.(tx, undefined);
    await during.lock('extensions.switch');
    const now = await findPackage(tx, slug);
    if (now === undefined) throw unknown(slug, bundled);
    if (now.active) throw stillOn(slug);
    await tx.deleteFrom('extensions').where('slug', '=', slug).execute();
    return now;
  });
  await letGo(needs, gone);
}

const stillOn = (slug: string): Problem =>
  new Problem(400, 'rest_cannot_delete_active_plugin', `The extension ${slug} is on. Please switch it off first.`);
