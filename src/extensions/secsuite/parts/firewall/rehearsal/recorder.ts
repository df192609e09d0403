// Takes a sample of requests on their way, and makes shapes of them.
import { hasBody, type IncomingRequest } from '#kernel/request.ts';
import { hour } from '#lib/spans.ts';
import type { Guard, Known } from '#site/hooks/guards.ts';
import type { Clock } from '#site/platform/clock.ts';
import { type AskedOf, bufferOf, fileInForm, fileOf } from '../asked.ts';
import { addBody, mapShape, missing, type RequestShape, type ShapeOptions, shapeOfRequest } from './shape.ts';

/** Of the same method, path and names in the query, so many are stored an hour; of all, so many by each process. */
const most = { alike: 20, anHour: 2_000, different: 5_000, body: 256 * 1024 };

interface RecorderDeps {
  readonly clock: Clock;
  readonly askedOf: AskedOf;
  /** Undefined while nothing is stored. */
  options(): ShapeOptions | undefined;
  /** It is called when a request arrives. What is known later is added to the shape. */
  keep(shape: RequestShape, options: ShapeOptions): void;
}

export function createRecorder({ clock, askedOf, options, keep }: RecorderDeps): Guard {
  const sample = createSample(clock);
  const pending = new WeakMap<IncomingRequest, { readonly shape: RequestShape; readonly chosen: ShapeOptions }>();
  /** Each request of a batch is one of its own. */
  const partShape = (incoming: IncomingRequest, { part }: Known) => {
    const chosen = options();
    if (part === undefined || chosen === undefined || !sample.takes(part)) return undefined;
    const { method, url, body } = part;
    const shape = shapeOfRequest(askedOf({ ...incoming, method, url }), chosen);
    addBody(shape, { form: body, rawBody: body && JSON.stringify(body) }, chosen);
    keep(shape, chosen);
    return { shape, chosen };
  };
  return {
    whenFailing: 'open',
    isNeeded: () => options() !== undefined,
    onConnect(incoming) {
      const chosen = options();
      if (chosen === undefined || !sample.takes(incoming)) return undefined;
      const shape = shapeOfRequest(askedOf(incoming), chosen);
      if (hasBody(incoming)) Object.assign(shape, { isFormMissing: true, isRawMissing: true });
      pending.set(incoming, { shape, chosen });
      keep(shape, chosen);
      return undefined;
    },
    needsBody: (incoming) => pending.has(incoming) && hasBody(incoming),
    onBody(incoming, { bytes, form, files }) {
      const { shape, chosen } = pending.get(incoming) ?? {};
      if (shape === undefined || chosen === undefined || (bytes === undefined && form === undefined)) return undefined;
      const isShort = bytes !== undefined && bytes.length <= most.body;
      const rawBody = isShort ? bufferOf(bytes) : undefined;
      addBody(shape, { form, files: files?.map(fileInForm), rawBody }, chosen);
      // A form in parts has no raw body for rules.
      if (bytes === undefined) shape.isRawMissing = undefined;
      return undefined;
    },
    onCaller(incoming, known) {
      const { shape, chosen } = (known.part === undefined ? pending.get(incoming) : partShape(incoming, known)) ?? {};
      return shape && chosen && addKnown(shape, known, chosen);
    },
  };
}

async function addKnown(shape: RequestShape, known: Known, options: ShapeOptions): Promise<undefined> {
  const { user, upload, form, asked, isToCome } = known;
  shape.roles = user?.roles ?? [];
  if (shape.isFormMissing && known.part === undefined && isToCome !== true) {
    const files = upload === undefined ? undefined : [await fileOf(upload, undefined)];
    addBody(shape, { form, files }, options);
  }
  if (asked?.route !== undefined)
    shape.rest = {
      map: { route: { v: asked.route }, method: { v: asked.method }, params: mapShape(asked.params, options) },
      missing: missing.none,
    };
}

/** So that a flood of like requests takes neither time nor space. */
function createSample(clock: Clock) {
  let [hourNow, taken] = [0, 0];
  const counts = new Map<string, number>();
  return {
    takes({ method, url }: Pick<IncomingRequest, 'method' | 'url'>): boolean {
      const now = Math.floor(clock().getTime() / hour);
      if (now !== hourNow) {
        [hourNow, taken] = [now, 0];
        counts.clear();
      }
      if (taken >= most.anHour) return false;
      const key = `${method} ${namesIn(url)}`;
      const count = counts.get(key) ?? 0;
      if (count >= most.alike || (count === 0 && counts.size >= most.different)) return false;
      counts.set(key, count + 1);
      taken += 1;
      return true;
    },
  };
}

/** The path, and the names in the query as they were sent. */
function namesIn(url: string): string {
  const mark = url.indexOf('?');
  const short = url.slice(0, 1_000);
  return mark < 0 ? short : short.replace(/=[^&]*/g, '');
}
