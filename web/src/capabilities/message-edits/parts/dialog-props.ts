import type { Message } from '../../../kernel/message.ts'

/** What each dialog about a message is given. */
export interface DialogProps {
  readonly message: Message
  readonly onClose: () => void
}
