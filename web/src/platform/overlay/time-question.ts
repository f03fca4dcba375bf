import { signal } from '@preact/signals'

export interface TimeQuestion {
  readonly title: string
  readonly action: string
  /** Called with UNIX seconds. */
  readonly choose: (seconds: number) => void
  readonly takesPast?: boolean
}

export const timeQuestion = signal<TimeQuestion | undefined>(undefined)

export function askTime(question: TimeQuestion): void {
  timeQuestion.value = question
}
