// Extensions that deployments may already name, and that a later version brings.

interface PlannedExtension {
  readonly title: string;
  readonly about: string;
  readonly namespaces: readonly string[];
}

export const planned: Readonly<Record<string, PlannedExtension>> = {
  galleries: {
    title: 'Galleries',
    about: 'Pictures put together in galleries and albums.',
    namespaces: ['gallery-ai/v1', 'gallery-convert/v1'],
  },
};
