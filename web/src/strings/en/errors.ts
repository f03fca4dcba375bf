export const errors = {
  generic: 'That did not work. Try again.',
  network: 'The server cannot be reached.',
  /** Where the code of a refusal says all that there is to say. */
  codes: {
    USER_DEACTIVATED: 'Your account is deactivated.',
    REALM_DEACTIVATED: 'This organization is deactivated.',
    RATE_LIMIT_HIT: 'That was too often. Wait a little, then try again.',
    NONEXISTENT_SUBDOMAIN: 'There is no organization at this address.',
  },
  deactivatedBecause: (comment: string) => `Your account is deactivated. The administrators say: ${comment}`,
}
