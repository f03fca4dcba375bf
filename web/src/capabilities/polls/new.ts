import { signal } from '@preact/signals'

/** The poll that is made: what takes its text as a message; undefined while none is. */
export const openPoll = signal<((text: string) => void) | undefined>(undefined)

/** Lets a poll be made. */
export function newPoll(take: (text: string) => void): void {
  openPoll.value = take
}

/** A poll as the message that the server makes one of: the question, and an option in each line. */
export function pollText(question: string, options: readonly string[]): string {
  const lines = [question, ...options].map((line) => line.replaceAll(/\s+/g, ' ').trim())
  return `/poll ${lines.filter((line, index) => index === 0 || line !== '').join('\n')}`
}
