// Records that look real and mean nothing, to try a site with: drawn by a seed, marked, and taken away again.
import type { Entry } from '#site/extension.ts';
import { config } from './config.ts';
import { testDataErrors } from './errors.ts';
import { routes } from './routes.ts';
import { createTestData, type TestData } from './test-data.ts';

export const testData: Entry<TestData> = (tools) => ({
  name: 'test-data',
  config,
  errors: testDataErrors,
  title: 'Test data',
  about: 'Creates posts, users, terms, comments and pictures as test data, and deletes them.',
  nouns: createTestData,
  routes: { 'datagen/v1': routes(tools) },
});
