// What is set of the interface and the accounts.

export const id = 'core-tweaks';

export interface CoreTweaks {
  readonly rest_api: 'default-access' | 'restrict-access';
  readonly valid_user_login_type: 'both' | 'email' | 'username';
  readonly force_unique_nicename: boolean;
}
