import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';

export const routes = (_tools: Toolkit<Core>): Route[] => [];
