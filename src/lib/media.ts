// Where the operator wants files kept, as the configuration reads it and whoever keeps them takes it.

export type Media =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** Without slashes around it; may be empty. */
      readonly prefix: string;
      /** The address of the store, without a slash at its end. */
      readonly endpoint: string;
      readonly region: string;
    };

/** What opens an object store. */
export interface Keys {
  readonly id: string;
  readonly secret: string;
}
