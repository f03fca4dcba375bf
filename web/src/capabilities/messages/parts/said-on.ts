/** After so long the same author's name is said again. */
const SAME_AUTHOR_SECONDS = 300

export interface Said {
  readonly sender_id: number
  readonly timestamp: number
  readonly is_me_message: boolean
}

/**
 * Whether a message goes on with what its author said before, so that it is shown without a name of its own. One that says what its author
 * does names them itself, and what stands below it begins anew.
 */
export function isSaidOn(before: Said, message: Said): boolean {
  if (before.is_me_message || message.is_me_message) return false
  return before.sender_id === message.sender_id && message.timestamp - before.timestamp < SAME_AUTHOR_SECONDS
}
