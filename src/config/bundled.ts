// What a deployment file may name. An extension that is not here is handed in by whoever reads the configuration.

/** Each bundled extension and the namespaces it serves. */
export const bundled: Readonly<Record<string, readonly string[]>> = {
  'security-suite': ['secsuite/rpc', 'secsuite/v1'],
  embeds: ['oembed/1.0'],
  galleries: ['gallery-ai/v1', 'gallery-background/v1', 'gallery-convert/v1'],
  'media-folders': ['mediafolders/v1', 'mediafolders/public/v1'],
  'image-optimiser': ['imgopt/v1'],
  'hub-connector': ['hub-connector/v1'],
  'test-data': ['datagen/v1'],
  'cross-sell': ['xsell_pcs/v1'],
  'regenerate-thumbnails': ['regenerate-thumbnails/v1'],
};

/** Namespaces of the site itself; they cannot be switched off. */
export const own: readonly string[] = ['core/v2', 'core-site-health/v1', 'core-block-editor/v1', 'core-abilities/v1'];
