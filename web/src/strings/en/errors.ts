export const errors = {
  generic: 'Something went wrong. Try again.',
  network: 'Can’t reach the server. Check your connection.',
  /** Texts for refusals that are fully explained by their code. */
  codes: {
    USER_DEACTIVATED: 'Your account is deactivated.',
    REALM_DEACTIVATED: 'This organization is deactivated.',
    RATE_LIMIT_HIT: 'Too many requests. Wait a moment, then try again.',
    NONEXISTENT_SUBDOMAIN: 'No organization exists at this address.',
  },
  deactivatedBecause: (comment: string) => `Your account is deactivated. Message from the admins: ${comment}`,
}
