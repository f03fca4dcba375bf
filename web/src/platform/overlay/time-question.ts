import { signal } from '@preact/signals'

export interface TimeQuestion {
  readonly title: string
  /** Label of the button. */
  readonly action: string
  /** Called with UNIX seconds. */
  readonly choose: (seconds: number) => void
  /** Whether past times are allowed. */
  readonly takesPast?: boolean
}

/** The open date and time question. */
export const askedTime = signal<TimeQuestion | undefined>(undefined)

export function askTime(question: TimeQuestion): void {
  askedTime.value = question
}
