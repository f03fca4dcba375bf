import { signal } from '@preact/signals'
import type { Place } from '../../kernel/route.ts'

/** The list of messages on screen. */
export const openList = signal<{ readonly place: Place; readonly toEnd: () => void } | undefined>(undefined)
