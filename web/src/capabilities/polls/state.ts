import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'

export const openedVoters = signal<{ readonly message: Message; readonly optionKey: string } | undefined>(undefined)
