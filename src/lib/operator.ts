// What the operator laid down when the site was started: nobody changes it while it runs.

import type { Media } from './media.ts';

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
