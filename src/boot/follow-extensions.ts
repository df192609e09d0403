// What a process runs is what people want to be on: when that changes, by whichever process, extensions join and leave.
import type { Extension } from '#site/extension.ts';
import { type Extensions, type InstalledPackage, LeftOut, type Wanted } from '#site/packages/packages.ts';
import type { Log } from '#store/engine.ts';
import type { Deployment } from '../config.ts';
import { inOrderOfNeed } from './assembly.ts';
import { compatibleAmong, leaversAmong } from './compatibility.ts';
import type { Packages } from './installed-packages.ts';
import type { Member } from './member.ts';
import type { Members } from './members.ts';

export interface Following {
  /** Resolves once this process runs what is wanted now. */
  follow(): Promise<void>;
  /** Does what belongs to a change before what those that left began is ended by `end`; without it, none left. */
  onChange(apply: Apply): void;
  /** Those of which an earlier version runs here than is wanted. */
  readonly behind: ReadonlySet<string>;
}

type Apply = (end: (() => Promise<void>) | undefined) => Promise<void>;

interface Needs {
  /** Those that come with the program. */
  readonly bundled: readonly Extension[];
  readonly deployment: Deployment;
  readonly extensions: Pick<Extensions, 'wanted'>;
  readonly members: Members;
  /** Throws when these cannot be served together. */
  servable(members: readonly Member[]): void;
  /** Without this, no package is part of the site. */
  readonly packages?: Packages | undefined;
  readonly log: Log;
}

export function createFollowing({
  bundled,
  deployment,
  extensions,
  members,
  servable,
  packages,
  log,
}: Needs): Following {
  let apply: Apply = async (end) => end?.();
  let isStarting = true;
  let isServing = false;
  /** Others are part of the site than what is served was made of. */
  let isOwed = false;
  const left = createLeftOutLog(log);
  /** Somebody is at the terminal when a site starts with what its deployment asks for; nothing that comes later stops it. */
  const cannotBe = (extension: Extension, why: unknown): void => {
    if (isStarting && isDeployed(extension, deployment)) throw why;
    left.out(extension.name, why);
  };
  const loaded = async (one: InstalledPackage): Promise<Extension[]> => {
    try {
      return [await packages!.load(one)];
    } catch (error) {
      // The version before goes on, if there is one: whoever updates it here and now takes that back.
      const before = members.all.map(({ extension }) => extension).filter(({ name }) => name === one.slug);
      (before.length > 0 ? left.behind : left.out)(one.slug, error);
      return before;
    }
  };
  const wantedNow = async ({ switched, installed }: Wanted): Promise<Extension[]> => {
    const own = bundled.filter(({ always, name }) => always || (switched.get(name) ?? deployment.extensions[name]));
    const on = packages === undefined ? [] : installed.filter(({ active }) => active);
    packages?.on(on);
    const others = (await Promise.all(on.map(loaded))).flat();
    return others.reduce(withOneMore, inOrderOfNeed(own));
  };
  const withOneMore = (all: readonly Extension[], one: Extension): Extension[] => {
    try {
      return inOrderOfNeed([...all, one]);
    } catch (error) {
      left.out(one.name, error);
      return [...all];
    }
  };
  const areBundled = (some: readonly Extension[]): boolean => some.every((one) => bundled.includes(one));
  /** Those that fit beside the others, with their tables. Nothing is made in the database for one that cannot. */
  const ready = async (fresh: readonly Extension[], staying: readonly Member[]): Promise<Extension[]> => {
    const joining = fresh.map((extension): Member => ({ extension, use: undefined }));
    const unfit = areBundled(fresh) ? none : compatibleAmong([...staying, ...joining], servable).unfit;
    const all = await Promise.all(
      joining.map(async (one) => {
        try {
          if (unfit.has(one)) throw unfit.get(one);
          await packages?.adopt(one.extension);
          return [one.extension];
        } catch (error) {
          cannotBe(one.extension, error);
          return [];
        }
      }),
    );
    return all.flat();
  };
  const join = (extension: Extension): void => {
    try {
      members.join(extension);
    } catch (error) {
      cannotBe(extension, error);
    }
  };
  /** Of those that cannot be served with the others, the later ones are left out, those of the deployment last. How many they are. */
  const leaveUnservable = (): number => {
    // Then whoever makes the routes tells what is wrong with them, and nobody makes them twice.
    if (isStarting && members.all.every(({ extension }) => isDeployed(extension, deployment))) return 0;
    const all = Map.groupBy(members.all, ({ extension }) => isDeployed(extension, deployment));
    const { unfit } = compatibleAmong([...(all.get(true) ?? []), ...(all.get(false) ?? [])], servable);
    for (const [{ extension }, why] of unfit) {
      cannotBe(extension, why);
      members.leave(extension);
    }
    return unfit.size;
  };
  const become = async (): Promise<void> => {
    const said = await extensions.wanted();
    const wanted = await wantedNow(said);
    const now = members.all;
    const gone = leaversAmong(now, wanted);
    const staying = now.filter(({ extension }) => !gone.has(extension));
    const missing = wanted.filter((one) => !staying.some(({ extension }) => extension === one));
    const fresh = await ready(missing, staying);
    for (const one of [...gone].reverse()) members.leave(one);
    for (const one of fresh) join(one);
    const hasChanged = gone.size + fresh.length > 0;
    const leavers = gone.size + (hasChanged ? leaveUnservable() : 0);
    const after = members.all.map(({ extension }) => extension);
    isOwed ||= leavers > 0 || after.some((extension) => fresh.includes(extension));
    if (!isOwed) return;
    if (isServing)
      logChanges(log, { before: now.map(({ extension }) => extension), after, versions: versionsIn(said) });
    await apply(members.ending());
    isOwed = false;
  };
  return {
    follow: inTurn(() =>
      left.over(async () => {
        await become();
        isStarting = false;
      }),
    ),
    onChange(change) {
      apply = change;
      isServing = true;
    },
    get behind() {
      return left.allBehind;
    },
  };
}

const versionsIn = ({ installed }: Wanted): ReadonlyMap<string, string> =>
  new Map(installed.map(({ slug, version }) => [slug, version]));

const none: ReadonlyMap<Member, unknown> = new Map();

const isDeployed = ({ always, name }: Extension, { extensions }: Deployment): boolean =>
  always === true || extensions[name] === true;

/** One at a time. Whoever asks while one is at work gets the next, which all that ask meanwhile share. */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        current = work();
        return current;
      });
    return next;
  };
}

// Extensions that are turned on and cannot be used in this process are logged: the site goes on without them, or with an earlier version, and
// the log says why.

interface LeftOutLog {
  /** It is to be on, and cannot be used here. */
  out(slug: string, error: unknown): void;
  /** This version of it cannot be used here, and the one before goes on. */
  behind(slug: string, error: unknown): void;
  /** Those of which an earlier version goes on, as the last work left it. */
  readonly allBehind: ReadonlySet<string>;
  /** Does it, and throws a `LeftOut` afterwards when something was left out of it. */
  over(work: () => Promise<void>): Promise<void>;
}

/** Each is told once, and again when it is for another reason. */
function createLeftOutLog(log: Log): LeftOutLog {
  let told = new Map<string, string>();
  let now = new Map<string, unknown>();
  let earlier = new Set<string>();
  const tell = (slug: string, error: unknown, message: string): void => {
    now.set(slug, error);
    if (told.get(slug) !== String(error)) log.error({ err: error, extension: slug }, message);
  };
  return {
    out(slug, error) {
      earlier.delete(slug);
      tell(slug, error, 'An extension that is turned on cannot be used here. The site runs without it.');
    },
    behind(slug, error) {
      earlier.add(slug);
      tell(slug, error, 'This version of an extension cannot be used here. The site runs the earlier version.');
    },
    get allBehind() {
      return earlier;
    },
    async over(work) {
      now = new Map();
      earlier = new Set();
      try {
        await work();
      } finally {
        told = new Map(Array.from(now, ([slug, error]) => [slug, String(error)]));
      }
      if (now.size > 0) throw new LeftOut([...now.keys()], { cause: now.values().next().value });
    },
  };
}

/** The log of a site that serves says which extensions were switched on or off, also when another process did it. */
interface Changed {
  readonly before: readonly Extension[];
  readonly after: readonly Extension[];
  /** Of those from packages. */
  readonly versions: ReadonlyMap<string, string>;
}

function logChanges(log: Pick<Log, 'info'>, { before, after, versions }: Changed): void {
  const namesOf = (some: readonly Extension[]) => new Set(some.map(({ name }) => name));
  const [names, left] = [namesOf(before), namesOf(before).difference(namesOf(after))];
  for (const name of left) log.info({ extension: name }, 'An extension was turned off in this process.');
  for (const one of after.filter((extension) => !before.includes(extension))) {
    const version = versions.get(one.name);
    const said = names.has(one.name) ? 'Another version of an extension' : 'An extension';
    log.info({ extension: one.name, ...(version && { version }) }, `${said} was turned on in this process.`);
  }
}
