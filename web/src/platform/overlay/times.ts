import type { Point } from '../../kernel/capability.ts'
import { tl } from '../../kernel/later-texts.ts'
import { upcomingTime } from '../../kernel/time.ts'
import { openMenu } from './menu.tsx'
import { openTimeDialog } from './time-dialog.tsx'

const MORNING_HOUR = 9
const EVENING_HOUR = 18
const MONDAY = 1

/** Calls `choose` with UNIX seconds. */
export function chooseTime(from: HTMLElement, label: string, choose: (seconds: number) => void, point?: Point): void {
  const items = timesAfter(new Date()).map(({ id, title, at }) => {
    const seconds = Math.floor(at.getTime() / 1000)
    return { id, title, detail: upcomingTime(seconds), icon: 'scheduled' as const, run: () => choose(seconds) }
  })
  const other = {
    id: 'other',
    title: tl().later.other,
    icon: 'edit' as const,
    run: () => openTimeDialog({ title: label, action: label, choose }),
  }
  openMenu(from, label, [...items, other], { at: point })
}

interface TimeChoice {
  readonly id: string
  readonly title: string
  readonly at: Date
}

export function timesAfter(now: Date): readonly TimeChoice[] {
  const at = (days: number, hour: number): Date =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  const untilMonday = (MONDAY + 7 - now.getDay()) % 7 || 7
  const all = [
    { id: 'hour', title: tl().later.hour, at: new Date(now.getTime() + 3_600_000) },
    { id: 'evening', title: tl().later.evening, at: at(0, EVENING_HOUR) },
    { id: 'tomorrow', title: tl().later.tomorrow, at: at(1, MORNING_HOUR) },
    { id: 'monday', title: tl().later.monday, at: at(untilMonday, MORNING_HOUR) },
  ]
  // Drops past times and duplicates: on Sundays, tomorrow and Monday are the same.
  return all
    .filter((time, index) => time.at > now && all.findIndex(({ at: other }) => +other === +time.at) === index)
    .toSorted((one, other) => +one.at - +other.at)
}
