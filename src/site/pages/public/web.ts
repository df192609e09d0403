/** Whether what somebody sent is the address of a page, which others may be led to. */
export const isWeb = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);
