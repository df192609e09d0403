const shape = /^[^\s\p{C}<>()[\]:;,"\\@]+@(?:\[[\w:.]+\]|[^\s\p{C}<>()[\]:;,"\\@]+)$/u;
const longest = 254;

/**
 * One email address, and nothing that a mail server could take for a second one or for a command. Loose otherwise: only a message
 * that arrives proves an address.
 */
export const isMailAddress = (text: string): boolean => text.length <= longest && shape.test(text);
