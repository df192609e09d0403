// What is left out of a backup, by the names that settings know it by: those of an earlier day, of which some have no table here and
// others have several.

const tables: Readonly<Record<string, readonly string[]>> = {
  secsuite_logs: ['secsuite_logs', 'secsuite_logs_data'],
  secsuite_temp: ['secsuite_lockout_events'],
  secsuite_lockouts: ['secsuite_lockouts', 'secsuite_lockouts_spared'],
  secsuite_opaque_tokens: ['secsuite_unlock_links'],
  secsuite_bans: ['secsuite_bans', 'secsuite_bans_lifted'],
  secsuite_dashboard_lockouts: ['secsuite_lockout_days'],
  secsuite_firewall_rules: ['secsuite_firewall_rules'],
  secsuite_user_groups: ['secsuite_groups', 'secsuite_group_members'],
};

export const tablesLeftOut = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => tables[name] ?? []));
