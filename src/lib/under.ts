/** What lies below an address, whether that ends with a slash or not. */
export const under = (address: string, more: string): string => `${address.replace(/\/?$/, '/')}${more}`;
