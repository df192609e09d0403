// The Dockerfile and compose.yaml, read for tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { root } from './checkout.ts';

export interface Instruction {
  /** `RUN`, `COPY` and so on. */
  readonly name: string;
  readonly value: string;
}

/** The stages of the Dockerfile, each with its instructions in their order. */
export function stagesOf(dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')): Instruction[][] {
  const lines = dockerfile.replaceAll(/\\\n\s*/g, ' ').split('\n');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name, value] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (name === 'FROM') stages.push([]);
    stages.at(-1)!.push({ name, value });
  }
  return stages;
}

export const valuesOf = (stage: readonly Instruction[], name: string): string[] =>
  stage.filter((one) => one.name === name).map(({ value }) => value);

/** `NAME=value NAME=value` */
export const environmentOf = (stage: readonly Instruction[]): Record<string, string> =>
  Object.fromEntries(
    valuesOf(stage, 'ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2) as [string, string])),
  );

export interface Service {
  readonly image?: string;
  readonly read_only?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
}

export interface Compose {
  readonly services: Readonly<Record<'site' | 'database' | 'files' | 'caddy', Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, null>>;
}

export const composeText = readFileSync(join(root, 'compose.yaml'), 'utf8');

/** With the variables in place, as Compose puts them. */
export const compose = (env: Readonly<Record<string, string>>): Compose =>
  parseYaml(
    composeText.replaceAll(/\$\{(\w+)(?::([?-])[^}]*)?\}/g, (_, name: string) => env[name] ?? ''),
  ) as unknown as Compose;
