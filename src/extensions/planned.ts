// Extensions that deployments may already name, and that a later version brings.

interface PlannedExtension {
  readonly title: string;
  readonly about: string;
  readonly namespaces: readonly string[];
}

export const planned: Readonly<Record<string, PlannedExtension>> = {};
