// Loaded before Node's test runner, which asks in which test code runs by an async hook: that hook hears of every promise and takes a
// quarter of all processor time. An `AsyncLocalStorage` answers the same question for next to nothing.
import hooks, { AsyncLocalStorage, type AsyncResource, type HookCallbacks } from 'node:async_hooks';
import type { WorkerMessage } from './worker.ts';

const { createHook, executionAsyncId } = hooks;
const idOfTest = new AsyncLocalStorage<number>();

interface Test extends AsyncResource {
  readonly root: { diagnostic(remark: string): void };
}

/** An error that no test caught. Node's runner would name it when the process ends, and the process is gone by then. */
function sendUncaught(remark: string): void {
  const reason = remark.replace(/^Error: /, '');
  const file = / at (\S+\.test\.ts):\d+:\d+ /.exec(reason)?.[1];
  if (process.connected) process.send?.({ kind: 'uncaught', reason, file } satisfies WorkerMessage);
}

/** Calls the hook of the test runner for its tests alone, each of which then runs its function with its id. */
function createTestHook({ init }: HookCallbacks) {
  Object.assign(hooks, { createHook });
  return createHook({
    trackPromises: false,
    init(id, type, triggeredBy, resource) {
      if (type !== 'Test') return;
      init?.(id, type, triggeredBy, resource);
      const test = resource as Test;
      const inScope = test.runInAsyncScope.bind(test);
      test.runInAsyncScope = (work, self, ...values) => {
        test.root.diagnostic = sendUncaught;
        return inScope(() => idOfTest.run(id, () => Reflect.apply(work, self, values)));
      };
    },
  });
}

Object.assign(hooks, {
  createHook: createTestHook,
  executionAsyncId: () => idOfTest.getStore() ?? executionAsyncId(),
});
