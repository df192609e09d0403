// Where the operator wants files kept, as the configuration reads it.

export type Media =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      readonly endpoint: string;
      readonly region: string;
    };

export interface Keys {
  readonly id: string;
  readonly secret: string;
}
