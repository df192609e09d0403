// What the contract asks for and nothing serves yet. Written by remember.ts; contract.test.ts fails when it is out of date.
import type { Deployment, Missing } from './checker.ts';

const nothing: Missing = { authentication: false, namespaces: [], routes: [] };

export const missing: Readonly<Record<Deployment, Missing>> = { a: nothing, b: nothing };
