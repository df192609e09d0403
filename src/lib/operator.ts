// What the operator laid down when the site was started: nobody changes it while it runs.

/** Where the list of extensions that may be installed is. */
export type Catalogue =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

export interface Operator {
  /** The folder that holds the data of the site. */
  readonly data: string;
  /** The hub that looks after this site. What is laid down here is not changed by people. */
  readonly hubUrl?: string;
  readonly hubApiKey?: string;
  /** How many records of test data one request makes at most. */
  readonly datagenBatch: number;
  /** Whether test data may hold administrators. */
  readonly datagenAllowAdmin: boolean;
  /** Where photographs for test data come from. */
  readonly datagenPhotoBase: string;
  /** Whether extensions may be installed and removed while the site runs. */
  readonly fileMods: boolean;
  readonly catalogue?: Catalogue;
  /** What the catalogue is signed with. */
  readonly catalogueKey?: string;
}
