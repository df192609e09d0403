// Between scans, which know the vulnerabilities of installed software, and the firewall, whose rules may protect from them.

/** A vulnerability that a scan saw in a software that is installed. */
export interface SeenVulnerability {
  readonly id: string;
  readonly advisory: string;
  readonly aliases: readonly string[];
  readonly title: string;
  /** What a feed may call the software: `plugin:garden`, `Gatehouse:garden`, `garden`. */
  readonly products: readonly string[];
}

export interface Patcher {
  /** Makes, changes and deletes rules of the feed. Answers the ids of the vulnerabilities that a rule protects from now. */
  apply(seen: readonly SeenVulnerability[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** The advisories that there is a rule of a feed for. */
  advisories(): Promise<readonly string[]>;
}

export interface Patching extends Patcher {
  provide(patcher: Patcher): void;
}

/** Until the firewall provides one, nothing protects from anything. */
export function createPatching(): Patching {
  let patcher: Patcher | undefined;
  return {
    provide(given) {
      patcher = given;
    },
    apply: async (seen, signal) => (await patcher?.apply(seen, signal)) ?? new Set(),
    advisories: async () => (await patcher?.advisories()) ?? [],
  };
}
