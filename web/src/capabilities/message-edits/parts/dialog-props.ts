import type { Message } from '../../../kernel/message.ts'

export interface DialogProps {
  readonly message: Message
  readonly onClose: () => void
}
