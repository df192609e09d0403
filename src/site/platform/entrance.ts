// Where people sign in. It may be hidden: then those alone are led there who may know where it is.

/** Where clients of this family look for it. */
const usual = '/wp-login.php';

export interface Entrance {
  /** Where it is, for whoever may know. */
  readonly path: string;
  /** Where it is, while it is hidden. */
  readonly hidden: string | undefined;
  /** From now on it is where this says, while it says so. Returns how to have it where it was. */
  hide(where: () => string | undefined): () => void;
}

export function createEntrance(): Entrance {
  let where: (() => string | undefined) | undefined;
  return {
    get path() {
      return where?.() ?? usual;
    },
    get hidden() {
      return where?.();
    },
    hide(wanted) {
      where = wanted;
      return () => {
        if (where === wanted) where = undefined;
      };
    },
  };
}
