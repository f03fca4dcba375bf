/** After so long the same author's name is said again. */
const SAME_AUTHOR_SECONDS = 300

interface Said {
  readonly sender_id: number
  readonly timestamp: number
}

/** Whether a message goes on with what its author said before, so that it is shown without a name of its own. */
export function isSaidOn(before: Said, message: Said): boolean {
  return before.sender_id === message.sender_id && message.timestamp - before.timestamp < SAME_AUTHOR_SECONDS
}
