import { signal } from '@preact/signals'

export interface TimeQuestion {
  readonly title: string
  /** What the button says. */
  readonly action: string
  /** Is given UNIX seconds. */
  readonly choose: (seconds: number) => void
  /** A moment that is over may be meant, too. */
  readonly takesPast?: boolean
}

/** The question for a time that is open. */
export const askedTime = signal<TimeQuestion | undefined>(undefined)

/** Asks for a day and a time. */
export function askTime(question: TimeQuestion): void {
  askedTime.value = question
}
