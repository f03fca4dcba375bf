import { signal } from '@preact/signals'
import type { Clip } from './clip.ts'

/** Recordings that are not attached yet, by the key of their composer's destination. */
export const openClips = signal<ReadonlyMap<string, Clip>>(new Map())

/** Moves a recording along with the text of its composer. A recording already at the new key keeps its place. */
export function moveClip(from: string, to: string): void {
  const { value: clips } = openClips
  if (clips.has(from) && !clips.has(to))
    openClips.value = new Map([...clips].map(([key, clip]) => [key === from ? to : key, clip]))
}
