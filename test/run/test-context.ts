// Loaded before Node's test runner, which asks in which test code runs by an async hook: that hook hears of every promise and takes a
// quarter of all processor time. An `AsyncLocalStorage` answers the same question for next to nothing.
import hooks, { AsyncLocalStorage, type AsyncResource, type HookCallbacks } from 'node:async_hooks';

const { createHook, executionAsyncId } = hooks;
const idOfTest = new AsyncLocalStorage<number>();

/** Calls the hook of the test runner for its tests alone, each of which then runs its function with its id. */
function createTestHook({ init }: HookCallbacks) {
  Object.assign(hooks, { createHook });
  return createHook({
    trackPromises: false,
    init(id, type, triggeredBy, resource) {
      if (type !== 'Test') return;
      init?.(id, type, triggeredBy, resource);
      const test = resource as AsyncResource;
      const inScope = test.runInAsyncScope.bind(test);
      test.runInAsyncScope = (work, self, ...values) =>
        inScope(() => idOfTest.run(id, () => Reflect.apply(work, self, values)));
    },
  });
}

Object.assign(hooks, {
  createHook: createTestHook,
  executionAsyncId: () => idOfTest.getStore() ?? executionAsyncId(),
});
