/** Pages for operators, in the order of docs/operations.md. */
export const operatorPages: readonly string[] = [
  'install.md',
  'updates.md',
  'storage.md',
  'email.md',
  'backup.md',
  'import.md',
  'monitoring.md',
  'proxies.md',
  'hub.md',
];
