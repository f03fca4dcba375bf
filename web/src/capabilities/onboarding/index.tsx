import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Capability } from '../../kernel/capability.ts'
import { runWhenIdle } from '../../platform/dom/idle.ts'
import { lazily, loadPart } from '../../platform/dom/lazy.tsx'
import { hasFinishedFirstSteps, hasHints } from './state.ts'

const Hints = lazily(
  async () => (await import('./hint.tsx')).loadHints(),
  () => null,
)

const areCapabilitiesReady = signal(false)

/** Welcomes new people with first steps in the inbox, and with hints, each shown once across all clients. */
export const onboarding: Capability = {
  name: 'onboarding',
  overlays: [() => (areCapabilitiesReady.value && hasHints() ? <Hints /> : null)],
  begin: () => {
    runWhenIdle(() => {
      areCapabilitiesReady.value = true
    })
  },
}

/** Time limit for loading the script: a slow connection must not keep the inbox from appearing. */
const MAX_WAIT_MILLISECONDS = 5_000

/** @returns undefined until it is known whether the inbox starts with first steps, so that no row moves later */
export function useFirstSteps(): ComponentChildren {
  const isOver = hasFinishedFirstSteps()
  const [card, setCard] = useState<ComponentChildren>(isOver ? null : undefined)
  useEffect(() => {
    if (isOver) return
    const found = loadPart(import('./first-steps.tsx')).then(async ({ firstStepsCard }) => firstStepsCard())
    const late = new Promise<null>((resolve) => {
      setTimeout(resolve, MAX_WAIT_MILLISECONDS, null)
    })
    Promise.race([found, late]).then(setCard, () => setCard(null))
  }, [])
  return isOver ? null : card
}
