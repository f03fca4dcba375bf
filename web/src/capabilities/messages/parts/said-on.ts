/** After this pause, the author's name is repeated. */
const SAME_AUTHOR_SECONDS = 300

export interface MessageHead {
  readonly sender_id: number
  readonly timestamp: number
  readonly is_me_message: boolean
}

/** Whether a message continues the previous author's block. `/me` messages contain the name and start a new block. */
export function isSaidOn(before: MessageHead, message: MessageHead): boolean {
  if (before.is_me_message || message.is_me_message) return false
  return before.sender_id === message.sender_id && message.timestamp - before.timestamp < SAME_AUTHOR_SECONDS
}
