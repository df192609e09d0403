// Addresses that stand alone in their line: what they lead to is shown in their place.

/** Those whose line may be shown as something else. */
export function addressesIn(_content: string): string[] {
  return [];
}

/** With what was found in their place; a sound or a film as the shortcode that plays it. */
export function addressesShown(content: string, _found: ReadonlyMap<string, string>): string {
  return content;
}
