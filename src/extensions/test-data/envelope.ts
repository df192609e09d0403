// How this family wraps what it answers. What a failure says besides, the kernel adds.
interface Answer {
  readonly message?: string;
  readonly data?: unknown;
}

export const envelope = {
  success: ({ message, data }: Answer) => ({ success: true, message, data }),
  failure: () => ({ success: false }),
};
