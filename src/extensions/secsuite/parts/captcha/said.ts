// What managers say of captchas.

export interface CaptchaSettings {
  readonly provider: 'google' | 'cloudflare' | 'hcaptcha';
  readonly type: 'v2' | 'invisible' | 'v3';
  readonly site_key: string;
  readonly language: string;
  readonly v3_threshold: number;
  readonly v3_include_location: 'everywhere' | 'required';
  readonly theme: boolean;
  readonly invis_position: string;
  readonly cf_site_key: string;
  readonly cf_theme: string;
  readonly cf_size: string;
  readonly hc_site_key: string;
  readonly hc_theme: string;
  readonly hc_size: string;
  readonly login: boolean;
  readonly register: boolean;
  readonly reset_pass: boolean;
  readonly comments: boolean;
  /** Nothing is loaded from the maker before a visitor has agreed. */
  readonly gdpr: boolean;
  /** Where they agree, the page goes on as it is. */
  readonly on_page_opt_in: boolean;
  /** Whether an answer was ever judged by these keys. */
  readonly validated: boolean;
  /** Why none can be. */
  readonly last_error: string;
}
