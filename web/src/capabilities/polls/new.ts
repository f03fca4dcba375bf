import { signal } from '@preact/signals'

/** Receives the text of the new poll; undefined while the dialog is closed. */
export const openPoll = signal<((text: string) => void) | undefined>(undefined)

export function newPoll(take: (text: string) => void): void {
  openPoll.value = take
}

/**
 * The poll as message text: the question, followed by a line for each option. The server turns the text into a poll.
 */
export function pollText(question: string, options: readonly string[]): string {
  const lines = [question, ...options].map((line) => line.replaceAll(/\s+/g, ' ').trim())
  return `/poll ${lines.filter((line, index) => index === 0 || line !== '').join('\n')}`
}
