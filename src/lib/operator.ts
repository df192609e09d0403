// What the operator laid down when the site was started: nobody changes it while it runs.

import type { Media } from './media.ts';

/** Where the list of extensions that may be installed is. */
export type Catalogue =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

/** What a site may be, to its first set-up. */
export const siteKinds = ['ecommerce', 'network', 'non-profit', 'blog', 'portfolio', 'brochure'] as const;
export type SiteKind = (typeof siteKinds)[number];

/** What the operator laid down for the security suite. */
export interface SecurityGround {
  /** Off, it defends nothing. */
  readonly suite: boolean;
  readonly firewall: boolean;
  /** The web server in front of the site. */
  readonly front: 'nginx' | 'apache';
  /** What the first set-up recommends the site to be set up as. */
  readonly siteKind: SiteKind | undefined;
  /** Services elsewhere; none is asked that is not named here. */
  readonly breachedUrl: string | undefined;
  readonly blocklistUrl: string | undefined;
  readonly placesUrl: string | undefined;
  /** Instead of the provider of the captcha. */
  readonly captchaUrl: string | undefined;
}

export interface Operator {
  /** The folder that holds the data of the site. */
  readonly data: string;
  /** Where uploaded files lie, which whoever has their address gets. */
  readonly media: Media;
  /** The hub that looks after this site. What is laid down here is not changed by people. */
  readonly hubUrl?: string | undefined;
  readonly hubApiKey?: string | undefined;
  /** How many records of test data one request makes at most. */
  readonly datagenBatch: number;
  /** Whether test data may hold administrators. */
  readonly datagenAllowAdmin: boolean;
  /** Where photographs for test data come from. */
  readonly datagenPhotoBase: string;
  /** Whether extensions may be installed and removed while the site runs. */
  readonly fileMods: boolean;
  readonly catalogue?: Catalogue | undefined;
  /** What the catalogue is signed with. */
  readonly catalogueKey?: string | undefined;
  /** Path of uploaded files, without slashes around it. */
  readonly uploadsPath: string;
  readonly security: SecurityGround;
}
