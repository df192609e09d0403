// The store's own write, without HTTP and kernel.
import { openStore, type Store } from '#store/store.ts';
import { createGreetings } from '../../examples/hello/greetings.ts';
import { type HelloTables, tables } from '../../examples/hello/tables.ts';
import { toolkit } from '../../src/site/extension.ts';
import { given, offer } from '../child.ts';
import { writeFor } from '../writing.ts';

export interface StoreAsked {
  readonly data: string;
  readonly database?: string | undefined;
}

const log = { info() {}, warn() {}, error() {} };
const store = await openStore({ ...given<StoreAsked>(), tables: [{ owner: 'hello', ...tables! }], log });
const clock = () => new Date();
const greetings = createGreetings({ store: store as unknown as Store<HelloTables>, clock, tools: toolkit<unknown>() });

offer(
  {
    write: ({ writers, milliseconds }: { writers: number; milliseconds: number }) =>
      writeFor(milliseconds, writers, ({ text }) => greetings.add(1, { text, mood: 'calm', note: '', in_reply_to: 0 })),
  },
  () => store.close(),
);
