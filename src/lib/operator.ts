// What the operator laid down when the site was started: nobody changes it while it runs.

/** Where the list of extensions that may be installed is. */
export type Catalogue =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

/** What the site itself is started with. */
export interface SiteOperator {
  /** The folder that holds the data of the site. */
  readonly data: string;
  /** Where uploaded files are kept; everyone who knows the URL of a file can read it. */
  readonly media: Media;
  /** Whether extensions may be installed and removed while the site runs. */
  readonly fileMods: boolean;
  readonly catalogue?: Catalogue | undefined;
  /** What the catalogue is signed with. */
  readonly catalogueKey?: string | undefined;
  /** Path of uploaded files, without slashes around it. */
  readonly uploadsPath: string;
}

/** Extensions add their own members here, beside their settings. */
export interface Operator extends SiteOperator {}

/** Where the operator wants files kept, as the configuration reads it and whoever keeps them takes it. */
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
