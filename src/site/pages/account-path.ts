/** Where people find their own account; pages that the account leads to lead back by it. */
export const accountPath = '/account';
